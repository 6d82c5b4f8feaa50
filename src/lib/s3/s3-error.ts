/** What an object storage refused, by S3's own code, or `Unreachable` where it did not answer. */
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
