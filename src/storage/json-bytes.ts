/** The amount of text that is collected before it is written, and the size of a piece in bytes. */
const PENDING = 8_192
const PIECE = 262_144

/**
 * A JSON list as bytes, written piece by piece, so that the text can be freed at once: collecting the garbage of a
 * long text takes longer than making it. Everything must be ASCII, as core/wire produces it.
 */
export class JsonBytes {
  readonly #pieces: { bytes: Buffer; used: number }[] = []
  #pending: string
  #separator = ''

  /** Begins with `before`, such as `{"checks": [`. */
  constructor(before: string) {
    this.#pending = before
  }

  add(part: string): void {
    this.#pending += this.#separator + part
    this.#separator = ', '
    if (this.#pending.length >= PENDING) this.#write()
  }

  /** The whole list, with `after` at the end, in a buffer of its own, which crosses threads without a copy. */
  end(after: string): Uint8Array {
    this.#pending += after
    this.#write()
    const length = this.#pieces.reduce((sum, piece) => sum + piece.used, 0)
    const whole = Buffer.from(new ArrayBuffer(length))
    let at = 0
    for (const { bytes, used } of this.#pieces) at += bytes.copy(whole, at, 0, used)
    return new Uint8Array(whole.buffer)
  }

  #write(): void {
    const text = this.#pending
    this.#pending = ''
    let piece = this.#pieces.at(-1)
    if (!piece || piece.used + text.length > piece.bytes.length) {
      // The first piece is as small as its content, because most listings are short.
      const size = piece ? Math.max(PIECE, text.length) : text.length
      piece = { bytes: Buffer.allocUnsafeSlow(size), used: 0 }
      this.#pieces.push(piece)
    }
    piece.used += piece.bytes.write(text, piece.used, 'latin1')
  }
}
