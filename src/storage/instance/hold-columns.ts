/** The facts of a hold as columns that a query selects along with its own, to save a statement. */
import { sql } from 'kysely'
import { holdWhileUnheard } from '../../core/checks/health/judge.js'
import { type BeatState, beatsAbout, unheardSince } from '../../core/instance/beats.js'
import { type Hold, holdAt, type Outage } from '../../core/instance/outage.js'
import { readBehind } from './behind.js'

/** The maximum number of outages that are read to find the current hold; they reach back much further than any hold. */
export const MAX_OUTAGES = 2_000

/** The contents of the columns: the numbers of each row, or null without rows. */
export interface HoldFacts {
  beats: string | null
  outages: string | null
}

/** The instant (ms) from which on the holds of outages can matter to the hold at `now`. */
export function outagesFrom(now: number): number {
  // A hold that ended less than a day ago may still be linked to the current one.
  return now - 86_400_000
}

/** The columns; `since` is the result of {@link outagesFrom}. */
export function holdColumns(since: number) {
  return [
    sql<string | null>`(
      SELECT string_agg(beat_at || ' ' || heard_at || ' ' || heard_from || ' ' || stopped || ' ' || behind, ',') FROM beats
    )`.as('beats'),
    sql<string | null>`(
      SELECT string_agg(started_at || ' ' || ended_at || ' ' || hold_until || ' ' || "partial" || ' ' || heard_ms, ',')
      FROM (
        SELECT started_at, ended_at, hold_until, "partial", heard_ms FROM outages
        WHERE hold_until >= ${since} ORDER BY hold_until DESC LIMIT ${sql.lit(MAX_OUTAGES)}
      ) recent
    )`.as('outages'),
  ] as const
}

/**
 * The hold at `now`, or null, for what is shown of any checks: outages of other parts count too, because until a check goes down
 * it is shown as one that waits. See core/instance/outage.ts.
 */
export function holdOf(
  { beats, outages }: HoldFacts,
  now: number,
  maxHoldMs: number,
  since: (beats: readonly BeatState[], now: number) => number | null = unheardSince,
): Hold | null {
  const heardUntil = Math.min(since(beatsAbout(fieldsOf(beats).map(toBeat)), now) ?? now, now)
  const windows = fieldsOf(outages).map(row => toOutage(row.map(Number)))
  return holdWhileUnheard(holdAt(windows, heardUntil, maxHoldMs), heardUntil, now)
}

function fieldsOf(rows: string | null): string[][] {
  return rows === null ? [] : rows.split(',').map(row => row.split(' '))
}

function toBeat(row: string[]): BeatState {
  const [beatAt, heardAt, heardFrom, stopped] = row.map(Number)
  const behind = readBehind(row[4]!)
  // A process of the previous version does not store this.
  const heard = { beatAt: beatAt!, heardAt: heardAt || beatAt!, stopped: stopped === 1 }
  return { ...heard, ...(heardFrom! > 0 && { heardFrom: heardFrom! }), ...(behind && { behind }) }
}

function toOutage([startedAt, endedAt, holdUntil, partial, heardMs]: number[]): Outage {
  const outage = { startedAt: startedAt!, endedAt: endedAt!, holdUntil: holdUntil!, partial: partial === 1 }
  return { ...outage, ...(heardMs! > 0 && { heardMs: heardMs! }) }
}
