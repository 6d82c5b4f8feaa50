/** Takes back what a person did in one action, or a part of it, in one transaction. Decisions 0116 and 0126. */
import type { EditStep, Step } from '../../core/checks/undo.js'
import { Refusal } from '../../core/errors.js'
import { appendTo } from '../../lib/append-to.js'
import { linkAgain, switchForChecks } from '../channels/check-channels.js'
import type { Db } from '../db.js'
import { announcedWrite } from '../method.js'
import { type EditsToUndo, restoreEdits } from './edit-checks.js'
import { restoreStates, restoreTags } from './restore.js'
import { type AskedUndo, type TakenUndo, takeUndo } from './undos.js'

/** How many changes were undone, and of how many. A check that was changed and was to move counts once. */
export interface Undone {
  undone: number
  of: number
  /** How many stay because something else has changed them since, and the names of those of a bulk edit. */
  changed: number
  names: string[]
  /** How many stay because they are in projects in which the person may not change things any more. */
  forbidden: number
  /** How many a newer plan is about. */
  replaced: number
}

interface Announced {
  wakeAt: number | null
  alerts: boolean
}

type QuickStep = Exclude<Step, EditStep>

/**
 * Takes back what a person did in one action, or does not carry out what they planned. `projectIds`: where they may still
 * change things. `result` is null if it is too late, or not theirs.
 */
export const undo = announcedWrite(
  async (db: Db, asked: AskedUndo): Promise<Announced & { result: Undone | null }> => {
    const { taken, forbidden } = await takeUndo(db, asked)
    const all: Announced = { wakeAt: null, alerts: false }
    if (taken.length + forbidden === 0) return { ...all, result: null }
    const planned = new Set<string>()
    const edits: (EditsToUndo & { madeAt: number })[] = []
    let [quick, kept, replaced] = [0, 0, 0]
    const note = ({ wakeAt = null, alerts = false }: Partial<Announced>) => {
      if (wakeAt !== null) all.wakeAt = Math.min(wakeAt, all.wakeAt ?? wakeAt)
      if (alerts) all.alerts = true
    }
    await lockSteps(db, taken)
    for (const { projectId, change, madeAt } of taken) {
      if ('plan' in change) {
        for (const check of change.checks) planned.add(check)
        replaced += change.replaced ?? 0
        continue
      }
      const steps = change.steps.filter((step): step is EditStep => step.did === 'edit')
      if (steps.length > 0) edits.push({ projectId, steps, madeAt })
      for (const one of together(change.steps)) {
        quick += one.length
        kept += one.length - (await takeBack(db, { projectId, madeAt, now: asked.now }, one, note))
      }
    }
    const madeAt = edits[0]?.madeAt ?? asked.now
    const restored = edits.length > 0 ? await restoreEdits(db, edits, asked.now, madeAt) : null
    if (restored) note(restored)
    const left = restored?.left ?? []
    const edited = edits.flatMap(({ steps }) => steps.map(({ check }) => check))
    const changed = kept + left.length
    const of = quick + new Set([...planned, ...edited]).size + replaced + forbidden
    const names = left.map(({ check, name }) => name || check)
    const undone = of - changed - replaced - forbidden
    return { ...all, result: { undone, of, changed, names, forbidden, replaced } }
  },
)

/** Locks the checks in one order, as other transactions do. */
async function lockSteps(db: Db, taken: readonly TakenUndo[]): Promise<void> {
  const checks = taken.flatMap(({ change }) =>
    'plan' in change ? [] : change.steps.flatMap(step => (step.did === 'edit' ? [] : [step.check])),
  )
  if (checks.length > 0) await db.dialect.loadChecks([...new Set(checks)])
}

/** The steps but for edits, in groups of those that are taken back together: of one kind, and of one channel. */
function together(steps: readonly Step[]): QuickStep[][] {
  const groups = new Map<string, QuickStep[]>()
  for (const step of steps) {
    if (step.did === 'edit') continue
    appendTo(groups, step.did === 'channel' ? `${step.channel} ${step.on}` : step.did, step)
  }
  return [...groups.values()]
}

type Taken<D extends QuickStep['did']> = Extract<QuickStep, { did: D }>[]

/** Returns how many of a group were taken back. */
async function takeBack(
  db: Db,
  { projectId, madeAt, now }: { projectId: number; madeAt: number; now: number },
  steps: readonly QuickStep[],
  note: (announced: Partial<Announced>) => void,
): Promise<number> {
  const [step] = steps
  try {
    if (step!.did === 'channel') {
      const names = { checks: steps.map(({ check }) => check), channel: step!.channel }
      const switched = step!.on
        ? await switchForChecks(db, projectId, names, false, now)
        : await linkAgain(db, projectId, names, madeAt, now)
      note(switched)
      return switched.changed.length
    }
    const restored =
      step!.did === 'state'
        ? await restoreStates(db, projectId, steps as Taken<'state'>, now)
        : await restoreTags(db, projectId, steps as Taken<'tags'>, now)
    note(restored)
    return restored.restored
  } catch (error) {
    // The checks or the channel have been deleted, or moved to another project.
    if (error instanceof Refusal) return 0
    throw error
  }
}
