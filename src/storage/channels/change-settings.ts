import type { Db } from '../db.js'

/** Changes some of a channel's settings, and keeps concurrent changes of the others. */
export async function changeSettings(
  db: Db,
  channelId: number,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  for (;;) {
    const row = await db.sql
      .selectFrom('channels')
      .select('settings')
      .where('id', '=', channelId)
      .executeTakeFirst()
    if (!row) return
    const changed = await db.sql
      .updateTable('channels')
      .set({ settings: JSON.stringify({ ...JSON.parse(row.settings), ...changes }) })
      .where('id', '=', channelId)
      .where('settings', '=', row.settings)
      .returning('id')
      .executeTakeFirst()
    if (changed) return
  }
}
