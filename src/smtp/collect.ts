import type { Readable } from 'node:stream'

/** A memory limit shared by all e-mails being received. */
export class MemoryBudget {
  #free: number
  constructor(bytes: number) {
    this.#free = bytes
  }

  /** Reserves `bytes`. Returns false if not enough are left. */
  reserve(bytes: number): boolean {
    if (bytes > this.#free) return false
    this.#free -= bytes
    return true
  }

  release(bytes: number): void {
    this.#free += bytes
  }
}

/** An e-mail in memory. */
export interface MessageInMemory {
  raw: Uint8Array
  /** Returns its memory to the budget. */
  release(): void
}

/** A message is far larger than the limit, so it is not worth reading to its end. */
export class EndlessMessage extends Error {
  override readonly name = 'Flood'
}

const FIRST_BYTES = 16_384

/**
 * Reads a stream into one buffer, which grows within `budget`. Returns `too-large` if it has more than `limit` bytes,
 * and `full` if the budget is used up; in both cases it still reads the stream to its end and keeps nothing. Rejects
 * when the stream breaks off, and with `Flood` when it exceeds twice the limit. Keeping a list of chunks instead would
 * take many times the memory for a message of short lines.
 */
export async function collect(
  stream: Readable,
  limit: number,
  budget: MemoryBudget,
): Promise<MessageInMemory | 'too-large' | 'full'> {
  let buffer: Buffer | null = null
  let length = 0
  let refused: 'too-large' | 'full' | null = null
  const release = () => {
    if (buffer) budget.release(buffer.length)
    buffer = null
  }
  const grow = (needed: number): boolean => {
    const before: number = buffer?.length ?? 0
    const size = Math.min(limit, Math.max(FIRST_BYTES, before * 2, needed))
    if (!budget.reserve(size)) return false
    const larger = Buffer.allocUnsafeSlow(size)
    buffer?.copy(larger, 0, 0, length)
    budget.release(before)
    buffer = larger
    return true
  }
  let seen = 0
  const keep = (piece: Buffer) => {
    seen += piece.length
    if (seen > 2 * limit) stream.destroy(new EndlessMessage('the message does not end'))
    if (refused) return
    const needed = length + piece.length
    if (needed > limit) refused = 'too-large'
    else if (needed > (buffer?.length ?? 0) && !grow(needed)) refused = 'full'
    if (refused) return release()
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
    release()
    throw error
  }
  if (refused) return refused
  const kept = buffer as Buffer | null
  return { raw: kept ? kept.subarray(0, length) : new Uint8Array(0), release }
}
