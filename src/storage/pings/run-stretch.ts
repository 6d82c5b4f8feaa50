/** Reads the part of a check's log that a page of runs needs, in steps until it is enough. */
import {
  firstPing,
  type LedgerRun,
  type LoggedEvent,
  MOST_PINGS_APART,
  pairedRuns,
} from '../../core/pings/run-ledger.js'
import { type Part, reachAhead, reachBack } from '../../core/pings/run-reach.js'

/** Reads the starts and ends with numbers in `part`: at most `count`, in order, from its beginning or from its end. */
export type ReadPings = (part: Part, from: 'beginning' | 'end', count: number) => Promise<LoggedEvent[]>

export interface RunQuery {
  /** The numbers of the stored pings. */
  log: Part
  /** Runs begin with a ping before this number. */
  before: number
  /** Whether every run of the check is tracked. */
  each: boolean
  /** The number of runs that are wanted. */
  limit: number
  mostApart?: number
  /** The number of pings that are read first, in addition to those of the page. */
  step?: number
}

/** The factor by which the next read is longer if one was not enough. */
const GROWTH = 4

export interface RunStretch {
  /** In order, without gaps between the first and the last. */
  pings: LoggedEvent[]
  /** The number before which they end. */
  to: number
  /** Up to `limit`, oldest first. */
  runs: LedgerRun[]
  /** The number below which older runs begin, or null if there are none. */
  next: number | null
}

/**
 * The newest runs that begin before a ping. It reads the pings of about `limit` runs, and at
 * most a few times `mostApart`.
 */
export async function readRuns(read: ReadPings, query: RunQuery): Promise<RunStretch> {
  const { log, before, each, limit, mostApart = MOST_PINGS_APART, step = 50 } = query
  let pings: LoggedEvent[] = []
  const known: Part = { from: before, to: before }
  const readOlder = async (floor: number, count: number) => {
    const older = await read({ from: floor, to: known.from }, 'end', count)
    known.from = older.length < count ? floor : older[0]!.n
    pings = [...older, ...pings]
  }
  const readNewer = async (ceiling: number, count: number) => {
    const newer = await read({ from: known.to, to: ceiling }, 'beginning', count)
    known.to = newer.length < count ? ceiling : newer.at(-1)!.n + 1
    pings = [...pings, ...newer]
  }
  const begunIn = ({ from, to }: Part) =>
    pairedRuns(pings, each, mostApart).filter(run => firstPing(run) >= from && firstPing(run) < to)
  // To identify an end, its start is looked for, and then the run that this start may have joined.
  const farthest = 2 * mostApart

  const last = Math.max(log.from, before - mostApart)
  const part: Part = { from: before, to: before }
  let runs: LedgerRun[] = []
  while (runs.length <= limit && part.from > last) {
    if (known.from === part.from) await readOlder(last, 2 * limit + 2)
    part.from = Math.max(known.from, last)
    for (let count = step; ; count *= GROWTH) {
      const reach = reachBack(pings, part, each)
      const floor = Math.max(part.from - farthest, log.from)
      if (known.from <= floor || (pings[0]?.at ?? 0) < reach) break
      await readOlder(floor, count)
    }
    runs = begunIn(part)
  }
  const page = runs.slice(-limit)
  const next = page.length < runs.length ? firstPing(page[0]!) : part.from > log.from ? part.from : null
  if (page[0]) part.from = firstPing(page[0])
  for (let count = step; ; count *= GROWTH) {
    const reach = reachAhead(pings, part, each)
    const ceiling = Math.min(before + farthest, log.to)
    if (known.to >= ceiling || (pings.at(-1)?.at ?? 0) > reach) break
    await readNewer(ceiling, count)
  }
  return { pings, to: known.to, runs: page.length > 0 ? begunIn(part) : [], next }
}
