/** The most checks that a batch of pings creates. */
export const MOST_CREATED = 32
