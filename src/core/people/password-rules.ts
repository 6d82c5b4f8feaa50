/** The shortest allowed password, in characters. Source: NIST SP 800-63B. */
export const PASSWORD_MIN_LENGTH = 8

/** The longest allowed password, so that hashing one cannot take long. */
export const PASSWORD_MAX_LENGTH = 1_000
