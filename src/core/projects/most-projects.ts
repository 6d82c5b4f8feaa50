/**
 * The most projects that a person can own, unless they were imported or handed over. Pages and lists show all of them, and deleting the account ends
 * them in one transaction.
 */
export const MOST_PROJECTS = 1_000
