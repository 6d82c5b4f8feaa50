/**
 * The most channels that a project can have, unless they were imported. Each flip of a check may add a delivery for each of them, in one
 * transaction, for which others wait.
 */
export const MOST_CHANNELS = 500
