/** A response with an error status. `message` is the server's own text if there is one. */
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
