/** The most checks that are cached for their next ping, at a few hundred bytes each. */
export const REMEMBERED_CHECKS = 20_000
