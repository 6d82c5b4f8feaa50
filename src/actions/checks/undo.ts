import type { Step } from '../../core/checks/undo.js'
import { Refusal } from '../../core/errors.js'
import type { StoreWith } from '../../storage/store.js'

type UndoStore = StoreWith<
  'checks.takeUndo' | 'checks.restoreState' | 'checks.restoreTags' | 'channels.switchForChecks'
>

/** How many changes were undone, and of how many. A change that something else has changed since is left as it is. */
export interface Undone {
  undone: number
  of: number
}

/**
 * Takes back what a person did in a project, or does not carry out what they planned. Null: it is too late, or it is
 * not theirs.
 */
export async function undo(
  store: UndoStore,
  asked: { uuid: string; projectId: number; userId: number; now: number },
): Promise<Undone | null> {
  const taken = await store.checks.takeUndo(asked)
  if (!taken) return null
  const { change } = taken
  if ('plan' in change) return { undone: change.checks.length, of: change.checks.length }
  let undone = 0
  for (const step of change.steps) if (await takeBack(store, asked, step)) undone += 1
  return { undone, of: change.steps.length }
}

async function takeBack(
  store: UndoStore,
  { projectId, now }: { projectId: number; now: number },
  step: Step,
): Promise<boolean> {
  try {
    if (step.did === 'state') return (await store.checks.restoreState(projectId, step, now)).restored
    if (step.did === 'channel') {
      const names = { checks: [step.check], channel: step.channel }
      return (await store.channels.switchForChecks(projectId, names, !step.on, now)).length > 0
    }
    return (await store.checks.restoreTags(projectId, step, now)).restored
  } catch (error) {
    // The check or the channel has been deleted, or moved to another project.
    if (error instanceof Refusal) return false
    throw error
  }
}
