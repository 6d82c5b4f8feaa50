/** The most checks that are remembered for their next ping, a few hundred bytes each. */
export const REMEMBERED_CHECKS = 20_000
