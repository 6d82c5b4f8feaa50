/** What a person can undo on pages for a short time. Decision 0116. */
import type { Check, State } from './check.js'

/** The part of a state that a pause or a resume changes. */
export type StateBefore = Pick<
  State,
  'status' | 'statusSince' | 'lastPing' | 'lastStart' | 'dueAt' | 'alertAfter' | 'tracking'
>

/** A change that has been made, and what is needed to take it back. Checks and channels are named by UUID. */
export type Step =
  | { did: 'state'; check: string; before: StateBefore; since: number }
  | { did: 'tags'; check: string; before: string; after: string }
  | { did: 'channel'; check: string; channel: string; on: boolean }

/** A change that is made when the time to undo it is over. `target`: the ID of the project that the checks move to. */
export type Planned =
  | { plan: 'delete'; checks: string[] }
  | { plan: 'move'; checks: string[]; target: number }

export type Undoable = { steps: Step[] } | Planned

/** How long a page offers to undo something (ms). */
const OFFERED_MS = 10_000

/** How long a page may take to appear, and a click at the last moment to arrive (ms). */
const LATE_MS = 5_000

/** Until when (ms) something done at `now` can be undone. */
export function undoableUntil(now: number): number {
  return now + OFFERED_MS + LATE_MS
}

/** The part of a state that {@link Step} keeps. */
export function stateBefore(state: State): StateBefore {
  const { status, statusSince, lastPing, lastStart, dueAt, alertAfter, tracking } = state
  return { status, statusSince, lastPing, lastStart, dueAt, alertAfter, tracking }
}

/** What a pause or a resume changed; empty if nothing. */
export function stateSteps({
  check,
  before,
}: {
  check: Pick<Check, 'uuid' | 'status' | 'statusSince'>
  before: StateBefore
}): Step[] {
  if (check.status === before.status) return []
  return [{ did: 'state', check: check.uuid, before, since: check.statusSince }]
}
