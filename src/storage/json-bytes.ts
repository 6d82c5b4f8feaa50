/** How much text gathers before it is written, and how many bytes one piece holds. */
const PENDING = 8_192
const PIECE = 262_144

/**
 * A JSON list as bytes, written while it is made, so that the text can be forgotten at once: a listing of many
 * rows kept as text costs more in collecting garbage than in making it. Everything must be ASCII, as core/wire
 * makes it.
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

  /** All of it with `after` at the end, in a buffer of its own, which crosses threads without being copied. */
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
      // The first piece is as small as what there is: most listings are short.
      const size = piece ? Math.max(PIECE, text.length) : text.length
      piece = { bytes: Buffer.allocUnsafeSlow(size), used: 0 }
      this.#pieces.push(piece)
    }
    piece.used += piece.bytes.write(text, piece.used, 'latin1')
  }
}
