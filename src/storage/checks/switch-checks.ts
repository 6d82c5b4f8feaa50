/** Pausing, resuming and deleting checks, each call in one transaction. */
import type { Flip } from '../../core/checks/flip.js'
import { resume as resumeState } from '../../core/checks/history/transitions.js'
import { type StateBefore, stateBefore, stateSteps } from '../../core/checks/undo.js'
import { Refusal } from '../../core/errors.js'
import { ofCheck as channelsOfCheck } from '../channels/check-channels.js'
import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'
import { recordEvent } from '../events/record-events.js'
import { currentHold, holdToJudge } from '../instance/outages.js'
import { announcedWrite } from '../method.js'
import { lockAuthor, type Planner } from '../projects/lock-author.js'
import { waivedFor } from '../silences/waived.js'
import { deleteChecks } from './bulk-edit/delete-checks.js'
import { type KeptPart, keepBatch, keepPart } from './bulk-edit/keep-batch.js'
import {
  loadToSwitch,
  pausing,
  type SwitchedMany,
  switchEvent,
  writeSwitches,
} from './bulk-edit/write-switches.js'
import { loadToChange, type WrittenCheck } from './change-checks.js'
import { lockProject } from './checks.js'
import { insertFlips } from './flips.js'
import { insertPassedOf } from './history/passed-deadlines.js'
import { saveStates } from './rows/states.js'
import { findUndo } from './undos.js'

/** A check after a pause or a resume, what its state was before, and by what it is undone, if that was asked for. */
type Switched = WrittenCheck & { before: StateBefore; undo: string | null }

/**
 * Pauses a check until a ping or a resume; pausing a paused check changes nothing. Its alerts wait until `undoableUntil`, so that
 * undoing it sends nobody anything. `by`: who can undo it, with `undo`; also if it is done twice. Throws a `Refusal` as
 * {@link findCheck}.
 */
export const pause = announcedWrite(
  async (
    db: Db,
    projectId: number,
    uuid: string,
    now: number,
    undoableUntil = now,
    by: number | null = null,
  ): Promise<Switched> => {
    const { check, loaded } = await loadToChange(db, projectId, uuid)
    const waived = (await waivedFor(db, [loaded], now)).get(loaded.id)
    const hold = (await holdToJudge(db, now))(loaded)
    const { before, after, flips, passed } = pausing(loaded, now, hold, waived)
    await insertPassedOf(db, check.id, passed)
    const written = await saveState(db, check, after, flips, now, undoableUntil)
    if (before.status !== 'paused') await recordEvent(db, switchEvent('check.paused', check, before), now)
    const switched = { ...written, before: stateBefore(before) }
    return { ...switched, undo: await keepSwitch(db, { projectId, by, pauses: true, now }, switched) }
  },
)

/** Makes a paused check new. Throws a `Refusal`: `conflict` if it is not paused, else as {@link findCheck}. */
export const resume = announcedWrite(
  async (
    db: Db,
    projectId: number,
    uuid: string,
    now: number,
    by: number | null = null,
  ): Promise<Switched> => {
    const { check, loaded } = await loadToChange(db, projectId, uuid)
    const resumed = resumeState(loaded, now)
    if (!resumed) throw new Refusal('conflict', 'check is not paused')
    const written = await saveState(db, check, resumed.check, [resumed.flip], now)
    await recordEvent(db, switchEvent('check.resumed', check, loaded), now)
    const switched = { ...written, before: stateBefore(loaded) }
    return { ...switched, undo: await keepSwitch(db, { projectId, by, pauses: false, now }, switched) }
  },
)

/**
 * Pauses checks as `pause` does each. Leaves out those that are not in the project. `part`: what it is a part of, to be undone
 * with it; absent: it cannot be undone.
 */
export const pauseMany = announcedWrite(
  async (
    db: Db,
    projectId: number,
    uuids: readonly string[],
    now: number,
    undoableUntil = now,
    part?: KeptPart,
  ): Promise<SwitchedMany> => {
    const checks = await loadToSwitch(db, projectId, uuids)
    const hold = await holdToJudge(db, now)
    const waived = await waivedFor(db, checks, now)
    const switchings = checks.map(check => ({
      name: check.name,
      ...pausing(check, now, hold(check), waived.get(check.id)),
    }))
    const switched = await writeSwitches(db, 'check.paused', switchings, now, undoableUntil)
    await keepPart(db, { projectId, steps: switched.steps, now }, part)
    return switched
  },
)

/** Makes those of the checks new that are paused. Leaves out those that are not in the project. `part`: as in {@link pauseMany}. */
export const resumeMany = announcedWrite(
  async (
    db: Db,
    projectId: number,
    uuids: readonly string[],
    now: number,
    part?: KeptPart,
  ): Promise<SwitchedMany> => {
    const switchings = (await loadToSwitch(db, projectId, uuids)).flatMap(check => {
      const resumed = resumeState<LoadedCheck>(check, now)
      if (!resumed) return []
      return [{ name: check.name, before: check, after: resumed.check, flips: [resumed.flip], passed: [] }]
    })
    const switched = await writeSwitches(db, 'check.resumed', switchings, now, now)
    await keepPart(db, { projectId, steps: switched.steps, now }, part)
    return switched
  },
)

/**
 * Deletes a check and everything about it, and returns the check. Throws a `Refusal` as {@link findCheck}, and `forbidden` if `by`
 * may not do it any more.
 */
const deleteCheck = announcedWrite(
  async (db: Db, projectId: number, uuid: string, now: number, by?: Planner): Promise<WrittenCheck> => {
    // The project is locked before its checks, here as elsewhere, to avoid deadlocks.
    await lockProject(db, projectId)
    if (by) await lockAuthor(db, projectId, by, 'write')
    const { check } = await loadToChange(db, projectId, uuid)
    const channels = await channelsOfCheck(db, check.id)
    const alerts = await deleteChecks(db, projectId, [{ check, channels }], now)
    const hold = await currentHold(db, now)
    return { check, channels, hold, created: false, wakeAt: null, alerts }
  },
)

export { deleteCheck as delete }

async function saveState(
  db: Db,
  check: Awaited<ReturnType<typeof loadToChange>>['check'],
  after: Awaited<ReturnType<typeof loadToChange>>['loaded'],
  flips: readonly Flip[],
  now: number,
  alertsDueAt = now,
): Promise<WrittenCheck> {
  const wakeAt = await saveStates(db, [after])
  const alerts = await insertFlips(
    db,
    flips.map(flip => ({ checkId: check.id, flip })),
    now,
    alertsDueAt,
  )
  const channels = await channelsOfCheck(db, check.id)
  const hold = await currentHold(db, now)
  return { check: { ...check, ...after }, channels, hold, created: false, wakeAt, alerts }
}

/** Returns by what the pause or the resume is undone: if nothing changed, what does so with the one before. */
async function keepSwitch(
  db: Db,
  { projectId, by, pauses, now }: { projectId: number; by: number | null; pauses: boolean; now: number },
  switched: Parameters<typeof stateSteps>[0],
): Promise<string | null> {
  if (by === null) return null
  const steps = stateSteps(switched)
  if (steps.length > 0) return await keepBatch(db, [{ projectId, userId: by, change: { steps }, now }])
  const step = { did: 'state' as const, check: switched.check.uuid, pauses }
  return await findUndo(db, { projectId, userId: by, step, now })
}
