import { accountCheckCount } from '../checks/checks.js'
import { insertCheck } from '../checks/create/insert-checks.js'
import type { Db } from '../db.js'

/**
 * Creates the check for a ping to an unknown slug with `create=1`, linked to every channel of the project. Returns
 * its UUID and the number of channels, or null if the account has twice its limit of checks. Source: docs/behaviour.md, section 1.4.
 */
export async function autoProvision(
  db: Db,
  projectId: number,
  slug: string,
  now: number,
): Promise<{ uuid: string; channels: number } | null> {
  if ((await accountCheckCount(db, projectId)) >= 2 * db.settings.checkLimit) return null
  const { id, uuid } = await insertCheck(db, { projectId, now, name: slug, slug })
  const { numInsertedOrUpdatedRows } = await db.sql
    .insertInto('check_channels')
    .columns(['check_id', 'channel_id'])
    .expression(eb =>
      eb
        .selectFrom('channels')
        .select(s => [s.lit(id).as('check_id'), 'channels.id as channel_id'])
        .where('project_id', '=', projectId),
    )
    .executeTakeFirstOrThrow()
  return { uuid, channels: Number(numInsertedOrUpdatedRows ?? 0) }
}
