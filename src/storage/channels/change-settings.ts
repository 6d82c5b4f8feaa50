import type { Db } from '../db.js'

/** Changes some of a channel's settings. Those that are no longer as in `before`, and all others, are kept. */
export async function changeSettings(
  db: Db,
  channelId: number,
  before: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  for (;;) {
    const row = await db.sql
      .selectFrom('channels')
      .select('settings')
      .where('id', '=', channelId)
      .executeTakeFirst()
    if (!row) return
    const settings = JSON.parse(row.settings) as Record<string, string>
    const asBefore = Object.entries(changes).filter(([name]) => settings[name] === before[name])
    const changed = await db.sql
      .updateTable('channels')
      .set({ settings: JSON.stringify({ ...settings, ...Object.fromEntries(asBefore) }) })
      .where('id', '=', channelId)
      .where('settings', '=', row.settings)
      .returning('id')
      .executeTakeFirst()
    if (changed) return
  }
}
