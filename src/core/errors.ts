/** Why a request is refused. Anything else that is thrown is a bug. */
export type RefusalCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'conflict'
  | 'limit'
  | 'too-many'
  | 'unavailable'

/** An expected failure. `message` is for the client or person who asked; http/errors.ts turns it into a response. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly code: RefusalCode,
    message: string,
    /** The invalid field of a form or a channel, if any. */
    readonly field?: string,
  ) {
    super(message)
  }
}
