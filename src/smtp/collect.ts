import type { Readable } from 'node:stream'

/** Memory that e-mails under way share. */
export class MemoryBudget {
  #free: number
  constructor(bytes: number) {
    this.#free = bytes
  }

  /** Takes `bytes` where there are so many left. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false
    this.#free -= bytes
    return true
  }

  give(bytes: number): void {
    this.#free += bytes
  }
}

/** An e-mail in memory, until it is let go. */
export interface Collected {
  raw: Uint8Array
  /** Gives its memory back. */
  release(): void
}

/** A message goes on far beyond what is taken: reading it to its end would be work for nothing. */
export class Flood extends Error {
  override readonly name = 'Flood'
}

const FIRST_BYTES = 16_384

/**
 * Reads a stream to its end into one buffer that grows in `room`. `too-large`: it has more than `limit` bytes;
 * `full`: there was no room. The stream is read to its end then too, and nothing is kept. Rejects when it breaks off,
 * and with `Flood` when it goes on to twice the limit. A list of its pieces would cost many times the memory of a
 * message of short lines.
 */
export async function collect(
  stream: Readable,
  limit: number,
  room: MemoryBudget,
): Promise<Collected | 'too-large' | 'full'> {
  let buffer: Buffer | null = null
  let length = 0
  let refused: 'too-large' | 'full' | null = null
  const letGo = () => {
    if (buffer) room.give(buffer.length)
    buffer = null
  }
  const grow = (needed: number): boolean => {
    const before: number = buffer?.length ?? 0
    const size = Math.min(limit, Math.max(FIRST_BYTES, before * 2, needed))
    if (!room.take(size)) return false
    const larger = Buffer.allocUnsafeSlow(size)
    buffer?.copy(larger, 0, 0, length)
    room.give(before)
    buffer = larger
    return true
  }
  let seen = 0
  const keep = (piece: Buffer) => {
    seen += piece.length
    if (seen > 2 * limit) stream.destroy(new Flood('the message does not end'))
    if (refused) return
    const needed = length + piece.length
    if (needed > limit) refused = 'too-large'
    else if (needed > (buffer?.length ?? 0) && !grow(needed)) refused = 'full'
    if (refused) return letGo()
    piece.copy(buffer!, length)
    length = needed
  }
  try {
    await new Promise<void>((resolve, reject) => {
      stream.on('data', keep)
      stream.once('end', resolve)
      stream.once('error', reject)
      stream.once('close', () => reject(new Error('the message broke off')))
    })
  } catch (error) {
    letGo()
    throw error
  }
  if (refused) return refused
  const kept = buffer as Buffer | null
  return { raw: kept ? kept.subarray(0, length) : new Uint8Array(0), release: letGo }
}
