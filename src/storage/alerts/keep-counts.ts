import type { Change } from '../../core/alerts/delivery/change.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'

type Counts = Pick<Change, 'superseded' | 'missed' | 'createdAt'>

/** Keeps with a delivery what it replaces, and since when there has been something to send. */
export async function keepCounts(
  db: Db,
  { id, change }: { id: number; change: Counts | null },
  { superseded, missed, createdAt }: Counts,
): Promise<void> {
  if (change?.superseded === superseded && change.missed === missed && change.createdAt === createdAt) return
  await keep.all(db, { id, superseded, createdAt, missed: missed ? 1 : 0 })
}

const keep = prepared((sql, value: { id: number; superseded: number; createdAt: number; missed: 0 | 1 }) =>
  sql
    .updateTable('deliveries')
    .set({ superseded: value.superseded, created_at: value.createdAt, missed: value.missed })
    .where('id', '=', value.id),
)
