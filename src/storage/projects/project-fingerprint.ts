import { sql } from 'kysely'
import { failedTestIsShown } from '../channels/failed-test.js'
import type { Db } from '../db.js'
import { read, readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'

/** Whether alerts can be sent: the number of a project's channels, and of those that fail. */
export interface ChannelHealth {
  channels: number
  failing: number
}

/**
 * A text that changes whenever something happens to a check of a project, is sent about one, or a channel changes. It
 * is cheap enough to be read once a second.
 */
export const fingerprint = read(async (db: Db, projectId: number): Promise<string> => {
  const checks = await db.sql
    .selectFrom('checks')
    .select(eb => [
      eb.fn.countAll().as('checks'),
      eb.fn.sum('n_pings').as('pings'),
      eb.fn.max('status_since').as('since'),
    ])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const channels = await db.sql
    .selectFrom('channels as ch')
    .select(['ch.id', 'ch.name', 'ch.settings', 'ch.disabled', 'ch.last_notify', 'ch.last_error'])
    .select(eb => [
      eb
        .selectFrom('notifications as n')
        .select(n => n.fn.max('n.id').as('id'))
        .whereRef('n.channel_id', '=', 'ch.id')
        .as('told'),
      eb
        .selectFrom('deliveries as d')
        .select(d => d.fn.sum(d.ref('d.attempts')).as('attempts'))
        .whereRef('d.channel_id', '=', 'ch.id')
        .as('attempts'),
      eb
        .selectFrom('deliveries as d')
        .select(d => d.fn.countAll().as('count'))
        .whereRef('d.channel_id', '=', 'ch.id')
        .as('waiting'),
    ])
    .where('ch.project_id', '=', projectId)
    .orderBy('ch.id')
    .execute()
  return JSON.stringify([checks, channels])
})

/** See {@link ChannelHealth}. A channel that a person disabled on purpose is not failing. */
export const channelHealth = readWithoutSnapshot(
  async (db: Db, projectId: number): Promise<ChannelHealth> => {
    const [found] = await healthOfChannels.all(db, { projectId })
    return { channels: Number(found!.channels), failing: Number(found!.failing ?? 0) }
  },
)

const healthOfChannels = prepared((db, value: { projectId: number }) =>
  db
    .selectFrom('channels')
    .select(eb => [
      eb.fn.countAll().as('channels'),
      eb.fn
        .sum(sql<number>`CASE WHEN last_error <> '' OR ${failedTestIsShown} THEN 1 ELSE 0 END`)
        .as('failing'),
    ])
    .where('project_id', '=', value.projectId),
)
