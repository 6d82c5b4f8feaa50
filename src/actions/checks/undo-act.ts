import { Refusal } from '../../core/errors.js'
import type { Clock } from '../../lib/clock.js'
import type { Undone } from '../../storage/checks/undo-changes.js'
import type { StoreWith } from '../../storage/store.js'

/** What was undone. `stop`: what refused the rest; null: nothing did. */
export type UndoneAct = Undone & { stop: Refusal | null }

/**
 * Takes back what a person did in one action, in as many transactions as that took. `projectIds`: where they may still change things.
 * Null: it is too late, or it is not theirs. Two at once share the parts. See storage/checks/undo-changes.ts.
 */
export async function undoAct(
  store: StoreWith<'checks.beginUndo' | 'checks.undo'>,
  clock: Clock,
  asked: { uuid: string; projectIds: readonly number[]; userId: number },
): Promise<UndoneAct | null> {
  let all: UndoneAct | null = null
  for (const part of await store.checks.beginUndo({ ...asked, now: clock.now() })) {
    try {
      const { result } = await store.checks.undo({ ...asked, part, now: clock.now() })
      if (result) all = all ? added(all, result) : { ...result, stop: null }
    } catch (error) {
      if (!all || !(error instanceof Refusal)) throw error
      return { ...all, stop: error }
    }
  }
  return all
}

function added(all: UndoneAct, { names, ...counts }: Undone): UndoneAct {
  return {
    stop: all.stop,
    undone: all.undone + counts.undone,
    of: all.of + counts.of,
    changed: all.changed + counts.changed,
    forbidden: all.forbidden + counts.forbidden,
    replaced: all.replaced + counts.replaced,
    names: [...all.names, ...names],
  }
}
