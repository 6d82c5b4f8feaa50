/** Whether a project still is what a plan was made for. Decision 0123. */
import { Refusal } from '../../../core/errors.js'
import type { Db } from '../../db.js'
import type { ConfigStep } from './config-step.js'
import { findSomeChecks, seenOf } from './found-objects.js'
import { type Mark, type MarkKey, marksOfKeys } from './marks.js'
import { checkCount, othersNow, type Seen } from './stored-config.js'

/** What steps were planned for. */
export interface Expected {
  /** `others` is null if it need not be looked at. */
  seen: Omit<Seen, 'others'> & { others: string | null }
  /** The marks of the keys that the steps give and take. */
  marks: readonly Mark[]
  refs: { readonly checks: ReadonlyMap<string, string> }
}

/** The refusal of steps that were planned for another project. */
export function changedSince(): Refusal {
  return new Refusal('conflict', 'the project has changed since it was planned: plan again')
}

/**
 * Throws a `Refusal` if a check that the steps change, the number of checks, or what files can set of other objects is not as it was when
 * they were planned. Other checks are not looked at, since there may be thousands. The project and these checks are locked.
 */
export async function refuseChanged(
  db: Db,
  projectId: number,
  { seen, marks, refs }: Expected,
  steps: readonly ConfigStep[],
): Promise<void> {
  const same =
    (await checkCount(db, projectId)) === seen.checks &&
    (seen.others === null || (await othersNow(db, projectId, seen.at)) === seen.others) &&
    textOf(await marksOfKeys(db, projectId, keysOf(steps))) === textOf(marks) &&
    (await areAsSeen(db, projectId, refs.checks, steps))
  if (!same) throw changedSince()
}

/** The keys that objects have before and after steps. */
export function keysOf(steps: readonly ConfigStep[]): MarkKey[] {
  return steps
    .filter(({ action }) => action !== 'depend')
    .flatMap(({ section, key, movedFrom }) =>
      [...new Set([key, movedFrom ?? key])].map(one => ({ section, key: one })),
    )
}

function textOf(marks: readonly Mark[]): string {
  const rows = marks.map(({ section, key, ref, owner }) => JSON.stringify([section, key, ref, owner]))
  return [...new Set(rows)].sort().join()
}

async function areAsSeen(
  db: Db,
  projectId: number,
  refs: ReadonlyMap<string, string>,
  steps: readonly ConfigStep[],
): Promise<boolean> {
  const expected = new Map(
    steps.flatMap(({ key, seen }): [string, string][] =>
      seen === undefined ? [] : [[refs.get(key)!, seen]],
    ),
  )
  const found = await findSomeChecks(db, projectId, [...expected.keys()])
  return found.length === expected.size && found.every(one => seenOf(one) === expected.get(one.ref))
}
