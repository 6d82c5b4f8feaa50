/** What a person can undo on pages for a short time. Decision 0116. */
import type { Values } from './bulk-edit/edit-check.js'
import type { Check, Rules, State } from './check.js'
import { FIELD_LIST } from './check-fields.js'

/** The part of a state that a pause or a resume changes. */
export type StateBefore = Pick<
  State,
  'status' | 'statusSince' | 'lastPing' | 'lastStart' | 'dueAt' | 'alertAfter' | 'tracking'
>

/**
 * What a check has right after a pause or a resume. As long as it has the same, no ping has come since, not even one that
 * is only logged, and the deadlines from before are still right.
 */
export interface Mark {
  since: number
  pings: number
  /** JSON of its rules. */
  rules: string
}

/** A change that has been made, and what is needed to take it back. Checks and channels are named by UUID. */
export type Step =
  | { did: 'state'; check: string; before: StateBefore; after: Mark }
  | { did: 'tags'; check: string; before: string; after: string }
  | { did: 'channel'; check: string; channel: string; on: boolean }
  | EditStep

/** One check of a bulk edit, with the values that changed. `name`: what the check is called, if it is gone. */
export interface EditStep {
  did: 'edit'
  check: string
  name: string
  before: Values
  after: Values
}

/**
 * A change that is made when the time to undo it is over. `target`: the ID of the project that the checks move to; `replaced`: how
 * many checks are left out because a newer plan is about them.
 */
export type Planned = { checks: string[]; replaced?: number; undone?: true } & (
  | { plan: 'delete' }
  | { plan: 'move'; target: number }
)

export type Undoable = { steps: Step[] } | Planned

/** How long pages offer to undo something (ms). */
const OFFERED_MS = 10_000

/** How long a page may take to appear, and a click at the last moment to arrive (ms). */
const LATE_MS = 5_000

/** Until when (ms) pages offer to undo something done at `now`. */
export function offeredUntil(now: number): number {
  return now + OFFERED_MS
}

/** Until when (ms) something done at `now` can be undone. */
export function undoableUntil(now: number): number {
  return now + OFFERED_MS + LATE_MS
}

/**
 * How long (ms) what an action of several transactions did is kept while it goes on, or is being undone. Afterwards it was broken
 * off, and what it planned is carried out.
 */
export const UNDER_WAY_MS = 10 * 60_000

/** The part of a state that {@link Step} keeps. */
export function stateBefore(state: State): StateBefore {
  const { status, statusSince, lastPing, lastStart, dueAt, alertAfter, tracking } = state
  return { status, statusSince, lastPing, lastStart, dueAt, alertAfter, tracking }
}

/** A check after a pause or a resume, and its state before. */
interface Switched {
  check: State & Rules & Pick<Check, 'uuid'>
  before: StateBefore
}

/** What a pause or a resume changed; empty if nothing. */
export function stateSteps({ check, before }: Switched): Step[] {
  if (check.status === before.status) return []
  return [{ did: 'state', check: check.uuid, before, after: markOf(check) }]
}

/** Whether nothing has happened to a check since it had this mark. */
export function hasMark(check: State & Rules, { since, pings, rules }: Mark): boolean {
  const now = markOf(check)
  return now.since === since && now.pings === pings && now.rules === rules
}

const RULES = FIELD_LIST.filter(({ row }) => row === 'state').map(({ name }) => name as keyof Rules)

function markOf(check: State & Rules): Mark {
  const rules = JSON.stringify(RULES.map(name => check[name]))
  return { since: check.statusSince, pings: check.nPings, rules }
}
