/** Pings were refused because the server that has a part of the checks is away. */
export class PartAway extends Error {
  override readonly name = 'PartAway'
  readonly code: string

  constructor(
    /** The part, as the store names it. */
    readonly part: string,
    cause: Error,
  ) {
    super(cause.message, { cause })
    this.code = 'code' in cause ? String(cause.code) : ''
  }
}
