/** The shortest password taken, in characters. Source: NIST SP 800-63B. */
export const PASSWORD_MIN_LENGTH = 8

/** The longest, so that hashing one cannot be made to take long. */
export const PASSWORD_MAX_LENGTH = 1_000
