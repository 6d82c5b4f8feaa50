/** Adds and removes many links between checks and channels, with few statements. */
import { sql } from 'kysely'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/** Each of the checks with each of the channels, by their IDs. */
export interface Links {
  checkIds: readonly number[]
  channelIds: readonly number[]
}

const rows = (ids: readonly number[]) => sql.join(ids.map(id => sql`(${sql.lit(id)})`))

/** Links checks to channels; what is linked already stays. */
export async function addLinks(db: Db, links: readonly Links[]): Promise<void> {
  for (const { checkIds, channelIds } of links) {
    if (checkIds.length === 0 || channelIds.length === 0) continue
    await sql`
      WITH c (id) AS (VALUES ${rows(checkIds)}), ch (id) AS (VALUES ${rows(channelIds)})
      INSERT INTO check_channels (check_id, channel_id)
      SELECT c.id, ch.id FROM c CROSS JOIN ch WHERE true ON CONFLICT (check_id, channel_id) DO NOTHING`.execute(
      db.sql,
    )
  }
}

/** Links new checks of a project to all its channels. */
export async function linkToAll(db: Db, projectId: number, checkIds: readonly number[]): Promise<void> {
  await sql`
    WITH c (id) AS (VALUES ${rows(checkIds)})
    INSERT INTO check_channels (check_id, channel_id)
    SELECT c.id, ch.id FROM c CROSS JOIN channels ch WHERE ch.project_id = ${projectId}`.execute(db.sql)
}

/** Removes links. What waits for these channels is not looked at. */
export async function removeLinks(db: Db, links: readonly Links[]): Promise<void> {
  const half = Math.floor(db.dialect.maxParameters / 2)
  for (const { checkIds, channelIds } of links) {
    for (const checks of chunks(checkIds, half)) {
      for (const channels of chunks(channelIds, half)) {
        await db.sql
          .deleteFrom('check_channels')
          .where('check_id', 'in', checks)
          .where('channel_id', 'in', channels)
          .execute()
      }
    }
  }
}
