import type { Readable } from 'node:stream'
import { LOOKED_UP_BYTES } from '../actions/pings/record-mail.js'

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
  /** Empty if it is for no check and has more than the first bytes. */
  raw: Uint8Array
  /** The number of its bytes. */
  length: number
  /** Returns its memory to the budget. */
  release(): void
}

export interface CollectOptions {
  /** The maximum number of bytes. */
  limit: number
  budget: MemoryBudget
  /** Resolves when the stream may have `bytes` more. Asked once it has more than the first bytes, and then for each part of the rest. */
  turn(bytes: number): Promise<void>
  /** Whether the message is for a check. Asked once it has more than the first bytes; it is kept until the answer, and if that fails. */
  isWanted(): Promise<boolean>
}

/** A message is far larger than the limit, so it is not worth reading to its end. */
export class EndlessMessage extends Error {
  override readonly name = 'Flood'
}

/** Most e-mails have no more bytes: they do not wait, and which checks they name is looked up as for any ping. */
const FIRST_BYTES = LOOKED_UP_BYTES
/** How many bytes are received in a turn. */
const TURN_BYTES = 65_536
/** A piece counts as at least so many bytes, because passing it on takes as long: a line that begins with a dot is a piece. */
const PIECE_BYTES = 512

/**
 * Reads a stream into one buffer, which grows within `budget`, at the pace of its turns. Returns `too-large` if it has more than `limit`
 * bytes, and `full` if the budget is used up; in both cases, and if it is not wanted, it still reads the stream to its end and keeps
 * nothing. Rejects when the stream breaks off, and with `Flood` when it exceeds twice the limit. Keeping a list of chunks instead would
 * take many times the memory for a message of short lines.
 */
export async function collect(
  stream: Readable,
  { limit, budget, turn, isWanted }: CollectOptions,
): Promise<MessageInMemory | 'too-large' | 'full'> {
  let buffer: Buffer | null = null
  let length = 0
  let refused: 'too-large' | 'full' | null = null
  let isDropped = false
  let hasEnded = false
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
  const drop = () => {
    if (hasEnded) return
    isDropped = true
    release()
  }
  const keep = (piece: Buffer) => {
    const needed = length + piece.length
    if (needed > limit) refused = 'too-large'
    else if (!isDropped && needed > (buffer?.length ?? 0) && !grow(needed)) refused = 'full'
    if (refused) return release()
    if (!isDropped) piece.copy(buffer!, length)
    length = needed
  }
  let seen = 0
  let allowed = FIRST_BYTES
  let isAsked = false
  const receive = (piece: Buffer) => {
    seen += piece.length
    if (seen > 2 * limit) stream.destroy(new EndlessMessage('the message does not end'))
    if (!refused) keep(piece)
    allowed -= Math.max(piece.length, PIECE_BYTES)
    if (allowed >= 0) return
    if (!isAsked) {
      isAsked = true
      void isWanted().then(
        wanted => wanted || drop(),
        () => {},
      )
    }
    const more = Math.max(TURN_BYTES, -allowed)
    allowed += more
    stream.pause()
    void turn(more).then(() => stream.resume())
  }
  try {
    await new Promise<void>((resolve, reject) => {
      stream.on('data', receive)
      stream.once('end', resolve)
      stream.once('error', reject)
      stream.once('close', () => reject(new Error('the message broke off')))
    })
  } catch (error) {
    release()
    throw error
  } finally {
    hasEnded = true
  }
  if (refused) return refused
  const kept = buffer as Buffer | null
  return { raw: kept ? kept.subarray(0, length) : new Uint8Array(0), length, release }
}
