/** The deliveries of a message, as long as this process still claims them. */
import { HOLDS } from '../../../core/alerts/delivery/change.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'
import { uuids } from '../notifications.js'
import type { SettledPart, Settlement } from './settlement.js'

/** Deletes the deliveries that this process still claims. Returns their UUIDs, each with its group. */
export async function finish(
  db: Db,
  { worker }: Pick<Settlement, 'worker'>,
  parts: readonly SettledPart[],
): Promise<Map<string, number | null>> {
  const gone = await remove(db, { worker }, parts.map(uuidOf))
  return new Map(gone.map(({ uuid, group_id }) => [uuid, group_id]))
}

/** A part as the statements below take it. */
export function uuidOf({ deliveryUuid }: SettledPart) {
  return { uuid: deliveryUuid }
}

const remove = preparedList((sql, value: { worker: string }, items: { uuid: string }[]) =>
  sql
    .deleteFrom('deliveries')
    .where('uuid', 'in', uuids(items))
    .where('claimed_by', '=', value.worker)
    .returning(['uuid', 'group_id']),
)

/** What a delivery does not wait for any more once it was tried. */
const OVER = HOLDS.filter(hold => hold !== 'quota')

interface Retried extends Record<string, string | number> {
  worker: string
  retryAt: number
  /** Whether they keep their number; see `keepsNumber`. */
  numbered: 0 | 1
}

/** Releases deliveries, which are due again at `retryAt`; the attempt counts. */
export const retry = preparedList((sql, value: Retried, items: { uuid: string }[]) =>
  sql
    .updateTable('deliveries')
    .set(eb => ({
      attempts: eb('attempts', '+', 1),
      // A delivery that was made due by an arrival and failed waits for its own time once.
      follows: eb
        .case()
        .when('follows', '=', 2)
        .then(0 as const)
        .else(1 as const)
        .end(),
      // From here it waits for its receiver. What limits delayed, or a quota held, is combined again.
      held_by: eb.case().when('held_by', 'in', OVER).then(null).else(eb.ref('held_by')).end(),
      charged: eb('charged', '*', value.numbered),
      due_at: value.retryAt,
      claimed_by: null,
      claimed_until: null,
    }))
    .where('uuid', 'in', uuids(items))
    .where('claimed_by', '=', value.worker),
)
