import type { BulkEdit, PlannedEdit } from '../../core/checks/bulk-edit/edit-check.js'
import type { Clock } from '../../lib/clock.js'
import type { Sizes } from '../../lib/slices.js'
import type { StoreWith } from '../../storage/store.js'
import { actUndoably, type UndoableProgress } from './act-undoably.js'
import { isMuch, type Progress } from './in-slices.js'
import { LINKS } from './link-weights.js'

interface Asked {
  /** The projects in which the author may change things. */
  projectIds: readonly number[]
  /** The UUIDs of the checks, each with what the author saw of it. */
  seen: ReadonlyMap<string, string>
  /** The checks as they are now, with the outcome. */
  rows: readonly PlannedEdit[]
  edit: BulkEdit
  userId: number
  sizes?: Sizes
}

/** How far an edit went. */
export interface EditedMany extends Pick<Progress<unknown>, 'done' | 'of' | 'stop'> {
  /** How many checks have new values, and how many move when that can no longer be undone. */
  changed: number
  moving: number
  /** By which it is undone, and one of the projects; null if there is nothing to undo. */
  undo: { uuid: string; projectId: number } | null
}

/** Changes checks and plans their moves, if their outcomes are what their author saw. See storage/checks/edit-checks.ts. */
export async function editChecks(
  store: StoreWith<'checks.edit' | 'checks.offerUndo'>,
  clock: Clock,
  { projectIds, seen, rows, edit, userId, sizes }: Asked,
): Promise<EditedMany> {
  const items = [...seen]
  const now = new Map(rows.map(row => [row.check.uuid, row]))
  const weights = items.map(([uuid]) => weightOf(now.get(uuid)))
  const slicing = { items, weights, ...(sizes && { sizes }) }
  if (isMuch(slicing) && items.some(([uuid, one]) => now.get(uuid)?.seen !== one))
    return { done: 0, of: items.length, stop: 'outdated', changed: 0, moving: 0, undo: null }
  const edited = await actUndoably(store, clock, {
    ...slicing,
    userId,
    write: async (some, part, now) => {
      const done = await store.checks.edit({ projectIds, seen: new Map(some), edit, userId, part, now })
      return done.isOutdated ? null : done
    },
    hasChanged: ({ undo }) => undo !== null,
  })
  return summed(edited)
}

/** Their links are read and compared, those that change are written, and both lists are in the event. */
function weightOf(row: PlannedEdit | undefined): number {
  if (!row) return 1
  const after = 'problem' in row.outcome ? [] : (row.outcome.channels ?? [])
  return 1 + (row.channels.length + after.length) / LINKS
}

type Edited = Awaited<ReturnType<StoreWith<'checks.edit'>['checks']['edit']>>

function summed({ results, done, of, stop, undo }: UndoableProgress<Edited>): EditedMany {
  const projectId = results.find(one => one.undo !== null)?.undo?.projectId
  return {
    done,
    of,
    stop,
    changed: results.reduce((sum, { changed }) => sum + changed, 0),
    moving: results.reduce((sum, { moving }) => sum + moving, 0),
    undo: undo === null || projectId === undefined ? null : { uuid: undo, projectId },
  }
}
