/** An object storage refused a request. `code` is S3's error code, or `Unreachable` if there was no response. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  constructor(
    readonly code: string,
    reason: string,
    cause?: unknown,
  ) {
    super(`${code}: ${reason}`, cause === undefined ? {} : { cause })
  }
}
