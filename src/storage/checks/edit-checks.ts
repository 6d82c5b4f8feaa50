/** Changes of checks in one transaction, and taking them back. Decision 0116. */
import {
  type BulkEdit,
  changesCheck,
  changesValues,
  type PlannedEdit,
  valuesNow,
} from '../../core/checks/bulk-edit/edit-check.js'
import { type EditStep, type Undoable, undoableUntil } from '../../core/checks/undo.js'
import { appendTo } from '../../lib/append-to.js'
import type { Db } from '../db.js'
import { announcedWrite, read } from '../method.js'
import { type EditableCheck, loadEditable, planEdits } from './bulk-edit/editable.js'
import { keepBatch, type UndoPart } from './bulk-edit/keep-batch.js'
import { lockChecks } from './bulk-edit/lock-checks.js'
import type { Write } from './bulk-edit/save-channels.js'
import { writeEdits } from './bulk-edit/write-edits.js'

/** Writes nothing: these checks of these projects with the outcome of an edit, in the order of the UUIDs. */
export const previewEdit = read(
  async (
    db: Db,
    asked: { projectIds: readonly number[]; uuids: readonly string[]; edit: BulkEdit },
  ): Promise<PlannedEdit[]> => {
    const { checks, known } = await loadEditable(db, asked.projectIds, asked.uuids)
    return planEdits(checks, asked.edit, known)
  },
)

interface AskedEdits {
  /** The projects in which the author may change things. */
  projectIds: readonly number[]
  /** The UUIDs of the checks, each with what the author saw of it: see `PlannedEdit`. */
  seen: ReadonlyMap<string, string>
  edit: BulkEdit
  userId: number
  /** Which transaction of an action it is; absent: the only one. */
  part?: UndoPart
  now: number
}

/** What was done; nothing if `isOutdated`. */
interface Edited {
  /** Whether a check was changed or deleted since the author saw it. */
  isOutdated: boolean
  /** How many checks have new values, and how many move when that can no longer be undone. */
  changed: number
  moving: number
  /** By which it is undone, and one of the projects; null if there is nothing to undo. */
  undo: { uuid: string; projectId: number } | null
  checks: boolean
  wakeAt: number | null
  alerts: boolean
}

const NOTHING: Edited = {
  isOutdated: false,
  changed: 0,
  moving: 0,
  undo: null,
  checks: false,
  wakeAt: null,
  alerts: false,
}

/**
 * Changes checks and plans their moves, all or none: none if the outcome for one is not what the author saw. See
 * actions/checks/edit-checks.ts for many.
 */
export const edit = announcedWrite(
  async (db: Db, { projectIds, seen, edit, userId, part, now }: AskedEdits): Promise<Edited> => {
    const uuids = [...seen.keys()]
    const loaded = await lockChecks(db, uuids, now)
    const { checks, known } = await loadEditable(db, projectIds, uuids)
    const planned = planEdits(checks, edit, known)
    const isOutdated =
      planned.length !== seen.size || planned.some(one => one.seen !== seen.get(one.check.uuid))
    if (isOutdated) return { ...NOTHING, isOutdated }
    const writes: Write[] = []
    const steps = new Map<number, EditStep[]>()
    const moving = new Map<number, string[]>()
    for (const one of planned) {
      if (!changesCheck(one.outcome)) continue
      const { moves, ...values } = one.outcome
      const { uuid: check, name } = one.check
      if (moves) appendTo(moving, one.projectId, check)
      if (!changesValues(values)) continue
      writes.push({ one, loaded: loaded.get(check)!, values })
      const before = valuesNow(one, values)
      appendTo(steps, one.projectId, { did: 'edit', check, name, before, after: values })
    }
    const doings = [
      ...[...steps].map(([projectId, steps]) => ({ projectId, change: { steps } as Undoable })),
      ...[...moving].map(([projectId, checks]) => ({
        projectId,
        change: { plan: 'move', checks, target: edit.target! } as Undoable,
      })),
    ]
    if (doings.length === 0) return NOTHING
    const written = await writeEdits(db, writes, now, { undoableUntil: undoableUntil(now) })
    const uuid = await keepBatch(
      db,
      doings.map(doing => ({ ...doing, userId, now })),
      part,
    )
    return {
      ...written,
      isOutdated,
      checks: true,
      changed: writes.length,
      moving: [...moving.values()].flat().length,
      undo: { uuid, projectId: doings[0]!.projectId },
    }
  },
)

/** The changes of a project's checks that are taken back. */
export interface EditsToUndo {
  projectId: number
  steps: readonly EditStep[]
}

/**
 * Gives checks their values from before an edit made at `madeAt`, except those of which one was changed since, and returns the
 * steps of these.
 */
export const restoreEdits = announcedWrite(
  async (
    db: Db,
    edits: readonly EditsToUndo[],
    now: number,
    madeAt: number,
  ): Promise<{ left: EditStep[]; wakeAt: number | null; alerts: boolean }> => {
    const uuids = edits.flatMap(({ steps }) => steps.map(({ check }) => check))
    const loaded = await lockChecks(db, uuids, now)
    const projectIds = edits.map(({ projectId }) => projectId)
    const { checks, known } = await loadEditable(db, projectIds, uuids)
    const byUuid = new Map(checks.map(one => [one.check.uuid, one]))
    const writes: Write[] = []
    const left: EditStep[] = []
    for (const { projectId, steps } of edits) {
      for (const step of steps) {
        const one = byUuid.get(step.check)
        const policyIsGone = step.before.policy != null && !known.policies.has(step.before.policy)
        if (!one || one.projectId !== projectId || policyIsGone || !stillHas(one, step.after)) left.push(step)
        else writes.push({ one, loaded: loaded.get(step.check)!, values: step.before })
      }
    }
    return { left, ...(await writeEdits(db, writes, now, { undoes: madeAt })) }
  },
)

function stillHas(one: EditableCheck, values: EditStep['after']): boolean {
  const now = valuesNow(one, values)
  const names = Object.keys(values.settings) as (keyof typeof values.settings)[]
  return (
    names.every(name => now.settings[name] === values.settings[name]) &&
    now.channels?.join() === values.channels?.join() &&
    now.policy === values.policy
  )
}
