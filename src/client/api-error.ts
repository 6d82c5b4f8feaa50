/** An answer that says no. `message` is the server's own text where it gave one. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    /** The HTTP status, such as 404. */
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}
