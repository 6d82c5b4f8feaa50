/**
 * A part of the checks: a single one, or those that a worker has, named by the ranges of the hashes of their IDs. So the name
 * says which checks are meant, also after another server has taken the worker's place, or a shard has moved.
 */
import { hashBigint } from '../postgres/citus/hash.js'

/** Hashes are whole numbers of 32 bits. */
const LEAST_HASH = -(2 ** 31)

/** The part that a worker has; `shards` in the order of their hashes. */
export function partOf<W>(shards: readonly { upTo: number; worker: W }[], worker: W): string {
  const ranges: HashRange[] = []
  let from = LEAST_HASH
  for (const shard of shards) {
    const last = ranges.at(-1)
    if (shard.worker === worker) {
      if (last?.upTo === from - 1) last.upTo = shard.upTo
      else ranges.push({ from, upTo: shard.upTo })
    }
    from = shard.upTo + 1
  }
  return ranges.map(range => `${range.from}:${range.upTo}`).join('+')
}

/** The part that a single check is. */
export function partOfCheck(checkId: number): string {
  return `${ONE_CHECK}${checkId}`
}

/** The ID of the check that is a part; null if the part is another. */
export function checkInPart(part: string): number | null {
  return part.startsWith(ONE_CHECK) ? Number(part.slice(ONE_CHECK.length)) : null
}

/** The name of a part that is a single check begins with it. */
export const ONE_CHECK = '='

/** Whether a check belongs to a part. */
export function isInPart(part: string, checkId: number): boolean {
  return checkInPart(part) === null ? isWithin(rangesIn(part), checkId) : part === partOfCheck(checkId)
}

/** For each shard that has checks of a part, an ID that no check has and whose rows would be there. */
export function idsInPart(shards: { indexOf(checkId: number): number }, part: string): number[] {
  const ids = new Map<number, number>()
  const ranges = rangesIn(part)
  // IDs begin with 1. The hash scatters, so a few tries for each shard are enough.
  for (let id = 0; id > -TRIES; id--) {
    const shard = shards.indexOf(id)
    if (!ids.has(shard) && isWithin(ranges, id)) ids.set(shard, id)
  }
  return [...ids.values()]
}

/** Enough to find one for each of a thousand shards, almost certainly. */
const TRIES = 10_000

interface HashRange {
  from: number
  upTo: number
}

function isWithin(ranges: readonly HashRange[], checkId: number): boolean {
  const hash = hashBigint(checkId)
  return ranges.some(({ from, upTo }) => hash >= from && hash <= upTo)
}

function rangesIn(part: string): HashRange[] {
  return part.split('+').map(range => {
    const [from, upTo] = range.split(':').map(Number)
    return { from: from!, upTo: upTo! }
  })
}
