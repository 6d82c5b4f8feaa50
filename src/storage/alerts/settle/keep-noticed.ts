import { randomUUID } from 'node:crypto'
import { STEADY_MS } from '../../../core/alerts/delivery/flapping.js'
import type { Db } from '../../db.js'
import { UNTRIED } from '../deliveries.js'
import { isNewestForTarget } from '../links/targets.js'
import type { SentSettlement } from './settlement.js'

/**
 * Called when a message was sent, before its deliveries are deleted. The change of a notice that a check is flapping waits on, unless something
 * newer waits, and is sent as steady: the notice promised that. Returns the deliveries that wait, by their former UUIDs, each with its group.
 */
export async function keepNoticed(
  db: Db,
  { worker, parts, now, outcome }: SentSettlement,
): Promise<Map<string, number | null>> {
  const kept = new Map<string, number | null>()
  if (outcome.flapping !== 'begun') return kept
  for (const { deliveryUuid, changedAt } of parts) {
    const row = await db.sql
      .updateTable('deliveries')
      .set({ ...UNTRIED, uuid: randomUUID(), missed: 0, held_by: 'flapping', created_at: now })
      .set({ due_at: changedAt + STEADY_MS })
      .where('uuid', '=', deliveryUuid)
      .where('claimed_by', '=', worker)
      .where(isNewestForTarget())
      .returning('group_id')
      .executeTakeFirst()
    if (row) kept.set(deliveryUuid, row.group_id)
  }
  return kept
}
