/** What a person does to many checks and can undo by one name. Decision 0116. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import type { Clock } from '../../lib/clock.js'
import type { KeptPart } from '../../storage/checks/bulk-edit/keep-batch.js'
import type { StoreWith } from '../../storage/store.js'
import { inSlices, type Progress, type Slicing } from './in-slices.js'

export interface UndoableAct<Item, Result> extends Slicing<Item> {
  userId: number
  /** Writes some of them at `now` (ms) in one transaction, with what undoes that. Returns null as in {@link inSlices}. */
  write(items: readonly Item[], part: KeptPart, now: number): Promise<Result | null>
  /** Whether a result changed something. */
  hasChanged(result: Result): boolean
  /** By what a result is undone, if not by the name that was given to it: its author has done the same already. */
  batchOf?(result: Result): string
}

/** How far an act went, and by what it is undone; null: nothing changed, or its author may not undo it any more. */
export type UndoableProgress<Result> = Progress<Result> & { undo: string | null }

/** Acts as {@link inSlices}. The time to undo all of it begins when it has ended. */
export async function actUndoably<Item, Result>(
  store: StoreWith<'checks.offerUndo'>,
  clock: Clock,
  { userId, write, hasChanged, batchOf, ...slicing }: UndoableAct<Item, Result>,
): Promise<UndoableProgress<Result>> {
  let batch = randomUUID() as string
  let isInParts = false
  const offer = async () => !isInParts || (await offered(store, { uuid: batch, userId, now: clock.now() }))
  const progress = await inSlices<Item, Result>(slicing, async ({ items, number, isOnly }) => {
    isInParts = !isOnly
    const result = await write(items, { batch, number, isOneOfMany: isInParts, userId }, clock.now())
    if (result !== null && batchOf) batch = batchOf(result)
    return result
  }).catch(async (error: unknown) => {
    await offer()
    throw error
  })
  const isOffered = (await offer()) && progress.results.some(hasChanged)
  return { ...progress, undo: isOffered ? batch : null }
}

/** Whether its author may still undo it. */
async function offered(
  store: StoreWith<'checks.offerUndo'>,
  asked: { uuid: string; userId: number; now: number },
): Promise<boolean> {
  try {
    await store.checks.offerUndo(asked)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
