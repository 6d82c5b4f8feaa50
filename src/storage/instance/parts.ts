/**
 * A part of the checks: a single one, those of a project, or those that a worker has, named by the ranges of the hashes of their IDs. So
 * the name says which checks are meant, also after another server has taken the worker's place, or a shard has moved.
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

/** The part that all checks of a project are. */
export function partOfProject(projectId: number): string {
  return `${ONE_PROJECT}${projectId}`
}

/** The ID of the check that is a part; null if the part is another. */
export function checkInPart(part: string): number | null {
  return part.startsWith(ONE_CHECK) ? Number(part.slice(ONE_CHECK.length)) : null
}

/** Whether all checks of a part belong to one project: it is a single check, or all of the project. */
export function isWithinProject(part: string): boolean {
  return part.startsWith(ONE_CHECK) || part.startsWith(ONE_PROJECT)
}

/** The names of parts that are a single check, or a project, begin with these. */
export const ONE_CHECK = '='
export const ONE_PROJECT = '#'

/** A check, as far as it says which parts it belongs to. */
export interface CheckInParts {
  id: number
  projectId: number
}

/** Whether a check belongs to a part. */
export function isInPart(part: string, { id, projectId }: CheckInParts): boolean {
  if (part.startsWith(ONE_CHECK)) return part === partOfCheck(id)
  if (part.startsWith(ONE_PROJECT)) return part === partOfProject(projectId)
  return isWithin(rangesIn(part), id)
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
