/** What pausing or resuming checks writes: a few statements, however many checks there are. */
import type { State } from '../../../core/checks/check.js'
import type { Flip } from '../../../core/checks/flip.js'
import { afterDeadlines } from '../../../core/checks/health/change-rules.js'
import type { PassedDeadline, Waived } from '../../../core/checks/health/judge.js'
import { pause as pauseState } from '../../../core/checks/history/transitions.js'
import { type Step, stateBefore, stateSteps } from '../../../core/checks/undo.js'
import type { Hold } from '../../../core/instance/outage.js'
import type { Db } from '../../db.js'
import type { LoadedCheck } from '../../dialect.js'
import { type NewEvent, recordEvents } from '../../events/record-events.js'
import { insertFlips } from '../flips.js'
import { insertPassedDeadlines } from '../history/passed-deadlines.js'
import { saveStates } from '../rows/states.js'
import { namesOf } from './check-names.js'

/** How many checks are in the state that was asked for, by which steps that is undone, and what has to be announced. */
export interface SwitchedMany {
  count: number
  steps: Step[]
  wakeAt: number | null
  alerts: boolean
}

/** The event of a check that is paused or resumed. */
export function switchEvent(
  type: 'check.paused' | 'check.resumed',
  check: { projectId: number; uuid: string; name: string },
  before: Pick<State, 'status'>,
): NewEvent {
  const after = { status: type === 'check.paused' ? 'paused' : 'new' }
  const object = { id: check.uuid, name: check.name }
  return { projectId: check.projectId, type, object, before: { status: before.status }, after }
}

/** What a pause or a resume makes of a check. `passed`: the deadlines that it had missed until then. */
export interface Switching {
  before: LoadedCheck
  after: LoadedCheck
  flips: readonly Flip[]
  passed: readonly PassedDeadline[]
}

/** A pause at `now` (ms), after the deadlines that passed before it. */
export function pausing(
  loaded: LoadedCheck,
  now: number,
  hold: Hold | null,
  waived: Waived | undefined,
): Switching {
  const { check: before, flips, passed } = afterDeadlines(loaded, now, hold, waived)
  const { check: after, flip } = pauseState(before, now)
  return { before, after, flips: flip ? [...flips, flip] : flips, passed }
}

/** Those of the checks that are in the project, locked, with their names. */
export async function loadToSwitch(db: Db, projectId: number, uuids: readonly string[]) {
  const loaded = await db.dialect.loadChecks([...new Set(uuids)])
  const names = await namesOf(db, projectId, loaded)
  return loaded.flatMap(check => {
    const name = names.get(check.id)
    return name === undefined ? [] : [{ ...check, name }]
  })
}

type Named = Switching & { name: string }

/** Writes what a pause or a resume makes of checks. `alertsDueAt`: when their alerts are due (ms). */
export async function writeSwitches(
  db: Db,
  type: 'check.paused' | 'check.resumed',
  switchings: readonly Named[],
  now: number,
  alertsDueAt: number,
): Promise<SwitchedMany> {
  if (switchings.length === 0) return { count: 0, steps: [], wakeAt: null, alerts: false }
  const passed = switchings.flatMap(({ before: { id: checkId }, passed }) =>
    passed.map(deadline => ({ checkId, deadline })),
  )
  await insertPassedDeadlines(db, passed)
  const wakeAt = await saveStates(
    db,
    switchings.map(({ after }) => after),
  )
  const flips = switchings.flatMap(({ after: { id: checkId }, flips }) =>
    flips.map(flip => ({ checkId, flip })),
  )
  const alerts = await insertFlips(db, flips, now, alertsDueAt)
  const changed = switchings.filter(({ before, after }) => before.status !== after.status)
  const events = changed.map(({ name, before }) => switchEvent(type, { ...before, name }, before))
  await recordEvents(db, events, now)
  const steps = changed.flatMap(({ before, after }) =>
    stateSteps({ check: after, before: stateBefore(before) }),
  )
  return { count: switchings.length, steps, wakeAt, alerts }
}
