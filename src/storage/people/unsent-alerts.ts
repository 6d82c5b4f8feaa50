/** The alerts that a monthly quota has held, as the e-mail about them tells of them. Decision 0102. */
import { quotaError } from '../../core/alerts/delivery/quota.js'
import type { FlipRef } from '../alerts/digest-facts.js'
import type { Db } from '../db.js'
import { read } from '../method.js'

/** That alerts of the channels of one kind in a project have exceeded a monthly quota since an instant (ms). */
export interface QuotaTrouble {
  /** The kind. */
  quota: string
  /** The project's UUID. */
  project: string
  /** See `Quota`. */
  called: string
  since: number
}

/** How long (ms) such an e-mail tells of alerts that do not wait any more: for the day after that in which it waited for its turn. */
const TRIED_FOR_MS = 2 * 86_400_000

/** Whether the project's people should still be told. */
export async function areUnsent(db: Db, about: QuotaTrouble, now: number): Promise<boolean> {
  const { quota, project, since } = about
  if (now < since + TRIED_FOR_MS) return (await unsentFlips(db, about)).length > 0
  const row = await db.sql
    .selectFrom('deliveries as d')
    .innerJoin('channels as c', 'c.id', 'd.channel_id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select('d.id')
    .where('p.uuid', '=', project)
    .where('c.kind', '=', quota)
    .where('d.held_by', '=', 'quota')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The project's ID, and the flips that were not sent, each once. */
export const unsentFor = read(
  async (db: Db, about: QuotaTrouble): Promise<{ projectId: number; flips: FlipRef[] }> => {
    const { id } = await db.sql
      .selectFrom('projects')
      .select('id')
      .where('uuid', '=', about.project)
      .executeTakeFirstOrThrow()
    return { projectId: id, flips: await unsentFlips(db, about) }
  },
)

/** The flips that exceeded the quota and have not been sent since. */
async function unsentFlips(db: Db, { quota, project, called, since }: QuotaTrouble): Promise<FlipRef[]> {
  const rows = await db.sql
    .selectFrom('notifications as n')
    .innerJoin('channels as c', 'c.id', 'n.channel_id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select(['n.flip_id as id', 'n.check_id as checkId'])
    .distinct()
    .where('p.uuid', '=', project)
    .where('c.kind', '=', quota)
    .where('n.created_at', '>=', since)
    .where('n.error', '=', quotaError({ called }))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as sent')
            .select('sent.id')
            .whereRef('sent.delivery_uuid', '=', 'n.delivery_uuid')
            .whereRef('sent.channel_id', '=', 'n.channel_id')
            .whereRef('sent.check_id', '=', 'n.check_id')
            .where('sent.error', '=', ''),
        ),
      ),
    )
    .execute()
  return rows.flatMap(({ id, checkId }) => (id === null || checkId === null ? [] : [{ id, checkId }]))
}
