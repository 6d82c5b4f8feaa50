/** The limits of a silence. */
const MINUTE_S = 60
const DAY_S = 86_400

/** How long a silence lasts once, in seconds. */
export const ONCE_SECONDS = { least: MINUTE_S, most: 366 * DAY_S } as const

/** How long each window of a recurring silence lasts, in seconds. */
export const WINDOW_SECONDS = { least: MINUTE_S, most: 7 * DAY_S } as const

/** How long a check can be snoozed, in seconds. */
export const SNOOZE_SECONDS = { least: MINUTE_S, most: 30 * DAY_S } as const

/** How many silences of a project can be active or to come. */
export const MOST_SILENCES = 200

/**
 * How many windows those of a project can have in a day, together; windows that touch are one. What they held is computed from their windows,
 * in transactions that others wait for.
 */
export const MOST_WINDOWS_A_DAY = 1_000

export const REASON_MAX_LENGTH = 200

/** The longest list of checks, tags or channels. */
export const LONGEST_LIST = 1_000
