/** The amount of text that is collected before it is written, and the size of a piece in bytes. */
const PENDING = 8_192
const PIECE = 262_144

/** Takes a part of a result as soon as it is ready. The bytes have a buffer of their own. */
export type OnPiece = (piece: Uint8Array) => void

/**
 * A JSON list as bytes, written piece by piece, so that the text can be freed at once: collecting the garbage of a
 * long text takes longer than making it. Everything must be ASCII, as core/wire produces it.
 */
export class JsonBytes {
  readonly #pieces: { bytes: Buffer; used: number }[] = []
  readonly #onPiece: OnPiece | null
  #pending: string
  #separator = ''

  /** Begins with `before`, such as `{"checks": [`. Pieces that are full go to `onPiece`, which is given for long lists. */
  constructor(before: string, onPiece: OnPiece | null = null) {
    this.#pending = before
    this.#onPiece = onPiece
  }

  add(part: string): void {
    this.#pending += this.#separator + part
    this.#separator = ', '
    if (this.#pending.length >= PENDING) this.#write()
  }

  /** What `onPiece` did not get, with `after` at the end, in a buffer of its own, which crosses threads without a copy. */
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
      if (piece) this.#pass(piece)
      // The first piece is as small as its content if it is not known that the list is long: most are short.
      const size = piece || this.#onPiece ? Math.max(PIECE, text.length) : text.length
      piece = { bytes: Buffer.allocUnsafeSlow(size), used: 0 }
      this.#pieces.push(piece)
    }
    piece.used += piece.bytes.write(text, piece.used, 'latin1')
  }

  #pass({ bytes, used }: { bytes: Buffer; used: number }): void {
    if (!this.#onPiece) return
    this.#pieces.pop()
    this.#onPiece(bytes.subarray(0, used))
  }
}
