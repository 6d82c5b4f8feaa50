/**
 * The most channels that a project can have, unless they were imported. Each flip of a check may add a delivery for each of them, in one
 * transaction, for which others wait.
 */
export const MOST_CHANNELS = 500

/**
 * The most members that the groups of a project can have together, unless they were imported. Each flip of a check reads the members of
 * all groups that it is linked to.
 */
export const MOST_GROUP_MEMBERS = 2_000
