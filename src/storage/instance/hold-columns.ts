/** What a hold is made of, as columns that a query selects beside its own, so that it takes no statement more. */
import { sql } from 'kysely'
import { type BeatState, troubleSince } from '../../core/instance/beats.js'
import { type Hold, holdAt, type Outage } from '../../core/instance/outage.js'

/** So many outages are read to find the hold in force; they reach back much further than any hold. */
export const MOST_OUTAGES = 2_000

/** What the columns hold: numbers by row, or null without rows. */
export interface HoldFacts {
  beats: string | null
  outages: string | null
}

/** The outages that the hold in force at `now` may be made of have a hold that ended at this instant (ms) or later. */
export function outagesFrom(now: number): number {
  // A hold that ended less than a day ago may still be linked to the one in force.
  return now - 86_400_000
}

/** The columns; `since` is {@link outagesFrom}. */
export function holdColumns(since: number) {
  return [
    sql<string | null>`(
      SELECT string_agg(beat_at || ' ' || heard_at || ' ' || heard_from || ' ' || stopped, ',') FROM beats
    )`.as('beats'),
    sql<string | null>`(
      SELECT string_agg(started_at || ' ' || ended_at || ' ' || hold_until || ' ' || "partial" || ' ' || heard_ms, ',')
      FROM (SELECT * FROM outages WHERE hold_until >= ${since} ORDER BY hold_until DESC LIMIT ${sql.lit(MOST_OUTAGES)}) recent
    )`.as('outages'),
  ] as const
}

/** The hold in force at `now`, or null. See core/instance/outage.ts. */
export function holdOf({ beats, outages }: HoldFacts, now: number, maxHoldMs: number): Hold | null {
  const trouble = troubleSince(numbersOf(beats).map(toBeat), now)
  return holdAt(numbersOf(outages).map(toOutage), now, maxHoldMs, trouble)
}

function numbersOf(rows: string | null): number[][] {
  return rows === null ? [] : rows.split(',').map(row => row.split(' ').map(Number))
}

function toBeat([beatAt, heardAt, heardFrom, stopped]: number[]): BeatState {
  // A process of the version before says nothing of what it heard.
  const heard = { beatAt: beatAt!, heardAt: heardAt || beatAt!, stopped: stopped === 1 }
  return { ...heard, ...(heardFrom! > 0 && { heardFrom: heardFrom! }) }
}

function toOutage([startedAt, endedAt, holdUntil, partial, heardMs]: number[]): Outage {
  const outage = { startedAt: startedAt!, endedAt: endedAt!, holdUntil: holdUntil!, partial: partial === 1 }
  return { ...outage, ...(heardMs! > 0 && { heardMs: heardMs! }) }
}
