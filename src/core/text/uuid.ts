/** The source of a regular expression for a UUID in its usual form, in lower case. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const UUID = new RegExp(`^${UUID_PATTERN}$`)

/** Whether `text` is a UUID in lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
