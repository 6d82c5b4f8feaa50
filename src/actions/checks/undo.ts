import type { EditStep, Step } from '../../core/checks/undo.js'
import { Refusal } from '../../core/errors.js'
import type { StoreWith } from '../../storage/store.js'

type UndoStore = StoreWith<
  | 'checks.takeUndo'
  | 'checks.restoreState'
  | 'checks.restoreTags'
  | 'checks.restoreEdits'
  | 'channels.switchForChecks'
>

/** How many changes were undone, and of how many. A change that something else has changed since is left as it is. */
export interface Undone {
  undone: number
  of: number
  /** The names of the checks of a bulk edit that were left. */
  left: string[]
}

type QuickStep = Exclude<Step, EditStep>

/**
 * Takes back what a person did in one action, or does not carry out what they planned. `projectIds`: where they may still
 * change things. Null: it is too late, or it is not theirs.
 */
export async function undo(
  store: UndoStore,
  asked: { uuid: string; projectIds: readonly number[]; userId: number; now: number },
): Promise<Undone | null> {
  const { taken } = await store.checks.takeUndo(asked)
  if (taken.length === 0) return null
  const quick: Promise<boolean>[] = []
  const edits: { projectId: number; steps: EditStep[] }[] = []
  const planned = new Set<string>()
  const edited = new Set<string>()
  for (const { projectId, change } of taken) {
    if ('plan' in change) for (const check of change.checks) planned.add(check)
    else {
      const steps = change.steps.filter((step): step is EditStep => step.did === 'edit')
      if (steps.length > 0) edits.push({ projectId, steps })
      for (const { check } of steps) edited.add(check)
      // Together, so that they are written in few commits.
      for (const step of change.steps) {
        if (step.did !== 'edit') quick.push(takeBack(store, { projectId, now: asked.now }, step))
      }
    }
  }
  const outcomes = await Promise.all(quick)
  const { left } = edits.length > 0 ? await store.checks.restoreEdits(edits, asked.now) : { left: [] }
  // A check that was changed and was to move counts once.
  const of = outcomes.length + new Set([...planned, ...edited]).size
  const kept = outcomes.filter(undone => !undone).length + left.length
  return { undone: of - kept, of, left: left.map(({ check, name }) => name || check) }
}

async function takeBack(
  store: UndoStore,
  { projectId, now }: { projectId: number; now: number },
  step: QuickStep,
): Promise<boolean> {
  try {
    if (step.did === 'state') return (await store.checks.restoreState(projectId, step, now)).restored
    if (step.did === 'channel') {
      const names = { checks: [step.check], channel: step.channel }
      const { changed } = await store.channels.switchForChecks(projectId, names, !step.on, now)
      return changed.length > 0
    }
    return (await store.checks.restoreTags(projectId, step, now)).restored
  } catch (error) {
    // The check or the channel has been deleted, or moved to another project.
    if (error instanceof Refusal) return false
    throw error
  }
}
