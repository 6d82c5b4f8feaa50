import { appendTo } from '../../lib/append-to.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { gathered } from '../gathered.js'

/** Records for each of these checks that it has a channel now, or has it no longer. */
export async function recordLinks(
  db: Db,
  { projectId, channel }: { projectId: number; channel: string },
  { added, removed }: { added: readonly number[]; removed: readonly number[] },
  now: number,
): Promise<void> {
  const wasAdded = new Set(added)
  for (const some of chunks([...added, ...removed], db.dialect.maxParameters)) {
    const rows = await gathered(db, ['checks', 'check_details'], some)
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .leftJoin('check_channels as cc', 'cc.check_id', 'c.id')
      .leftJoin('channels as ch', 'ch.id', 'cc.channel_id')
      .select(['c.id', 'c.uuid', 'd.name', 'ch.uuid as channel'])
      .where('c.id', 'in', some)
      .orderBy('c.id')
      .orderBy('ch.uuid')
      .execute()
    const linked = new Map<number, string[]>()
    for (const row of rows) if (row.channel !== null) appendTo(linked, row.id, row.channel)
    const checks = new Map(rows.map(({ id, uuid, name }) => [id, { id: uuid, name }]))
    const events = [...checks].map(([id, object]) => {
      const after = linked.get(id) ?? []
      const before = wasAdded.has(id) ? after.filter(uuid => uuid !== channel) : [...after, channel].sort()
      return {
        projectId,
        type: 'check.updated' as const,
        object,
        before: { channels: before },
        after: { channels: after },
      }
    })
    await recordEvents(db, events, now)
  }
}
