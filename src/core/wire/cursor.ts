/** The cursor for a place in the list that an operation shows: opaque to clients, and of use for that list alone. */
export function cursorFor(operation: string, place: unknown): string {
  return Buffer.from(JSON.stringify([operation, place])).toString('base64url')
}
