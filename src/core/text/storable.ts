/** Which texts every database stores as they are. */

/** NUL, which PostgreSQL refuses, and halves of surrogate pairs, which UTF-8 replaces. */
const UNSTORABLE = /\0|\p{Surrogate}/u

/** What is wrong with a text that is not storable. */
export const UNSTORABLE_PROBLEM = 'This contains a character that cannot be stored.'

/** Whether every text in a value can be stored as it is. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable)
}
