/** The data of the pages of integrations. */

import { sql } from 'kysely'
import type { HoldReason } from '../../core/alerts/delivery/change.js'
import { madeAttempt } from '../../core/alerts/delivery/drop-notes.js'
import type { StoredStatus } from '../../core/checks/check.js'
import { selectShownName, shownName } from '../checks/rows/shown-name.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { longRead, read } from '../method.js'
import { type Channel, list as listChannels } from './channels.js'
import { WHEN_ENABLED } from './disable-channel.js'

/** A channel in the list, with the number of checks linked to it. */
export interface ListedChannel extends Channel {
  checks: number
}

/** A check that can be linked to a channel. `name`: its slug if it has none. */
export interface AssignableCheck {
  uuid: string
  name: string
  tags: string
  assigned: boolean
}

/** One attempt to send something. */
export interface ChannelEvent {
  at: number
  /** Null for tests and notices. */
  check: { uuid: string; name: string } | null
  status: StoredStatus
  /** Null if none was made: the delivery was dropped. */
  attempt: number | null
  durationMs: number | null
  /** Empty after a success, `Sending` while under way. */
  error: string
  test: boolean
}

/** A delivery that waits for a channel. */
export interface WaitingDelivery {
  check: { uuid: string; name: string } | null
  status: StoredStatus | null
  attempts: number
  dueAt: number
  /** Why it waits although nothing has failed; null: only for its turn. */
  held: HoldReason | null
}

/**
 * The channels of a project, groups first, then oldest first, each with the number of its checks; and the number
 * of checks in the project.
 */
export const page = read(
  async (db: Db, projectId: number): Promise<{ channels: ListedChannel[]; checks: number }> => {
    const channels = await listChannels(db, projectId)
    const counts = await db.sql
      .selectFrom('channels as ch')
      .innerJoin('check_channels as cc', 'cc.channel_id', 'ch.id')
      .select(['ch.uuid', eb => eb.fn.countAll<number>().as('checks')])
      .where('ch.project_id', '=', projectId)
      .groupBy('ch.uuid')
      .execute()
    const byUuid = new Map(counts.map(({ uuid, checks }) => [uuid, Number(checks)]))
    const { total } = await db.sql
      .selectFrom('checks')
      .select(eb => eb.fn.countAll<number>().as('total'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    return {
      channels: channels
        .map(channel => ({ ...channel, checks: byUuid.get(channel.uuid) ?? 0 }))
        .sort((a, b) => Number(b.members.length > 0) - Number(a.members.length > 0)),
      checks: Number(total),
    }
  },
)

/** The checks of a project by name, each with whether the channel is linked to it. */
export const assignableChecks = longRead(
  async (db: Db, projectId: number, channelId: number): Promise<AssignableCheck[]> => {
    const checks = sql`(SELECT check_id FROM check_names WHERE project_id = ${projectId})`
    const rows = await gathered(db, ['checks', 'check_details'], checks)
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .leftJoin('check_channels as cc', join =>
        join.onRef('cc.check_id', '=', 'c.id').on('cc.channel_id', '=', channelId),
      )
      .select(['c.uuid', selectShownName, 'd.tags', 'cc.channel_id as linked'])
      .where('c.project_id', '=', projectId)
      .orderBy(shownName)
      .orderBy('c.id')
      .execute()
    return rows.map(({ linked, ...check }) => ({ ...check, assigned: linked !== null }))
  },
)

/** The last `count` attempts of a channel, newest first, and its waiting deliveries, the most urgent first. */
export const log = read(
  async (
    db: Db,
    channelId: number,
    count: number,
  ): Promise<{ events: ChannelEvent[]; waiting: WaitingDelivery[] }> => {
    const sentAbout = sql`(
      SELECT n.check_id FROM notifications n WHERE n.channel_id = ${channelId} AND n.kept = 0
      ORDER BY n.id DESC LIMIT ${count})`
    const events = await gathered(db, ['checks', 'check_details'], sentAbout)
      .selectFrom('notifications as n')
      .leftJoin('checks as c', 'c.id', 'n.check_id')
      .leftJoin('check_details as d', 'd.check_id', 'n.check_id')
      .select([
        'n.created_at as at',
        'n.check_status as status',
        'n.attempt',
        'n.duration as durationMs',
        'n.error',
      ])
      .select(['n.delivery_uuid as delivery', 'c.uuid', selectShownName])
      .where('n.channel_id', '=', channelId)
      .where('n.kept', '=', 0)
      .orderBy('n.id', 'desc')
      .limit(count)
      .execute()
    const waitsAbout = sql`(
      SELECT dl.check_id FROM deliveries dl WHERE dl.channel_id = ${channelId} AND dl.due_at < ${WHEN_ENABLED}
      ORDER BY dl.due_at LIMIT ${count})`
    const waiting = await gathered(db, ['checks', 'check_details', 'flips'], waitsAbout)
      .selectFrom('deliveries as dl')
      .leftJoin('checks as c', 'c.id', 'dl.check_id')
      .leftJoin('check_details as d', 'd.check_id', 'dl.check_id')
      .leftJoin('flips as f', 'f.id', 'dl.flip_id')
      .select(['dl.attempts', 'dl.due_at as dueAt', 'f.new_status as status', 'c.uuid', selectShownName])
      .select('dl.held_by as heldBy')
      .where('dl.channel_id', '=', channelId)
      // Deliveries that wait until the channel is enabled or changed have no due time.
      .where('dl.due_at', '<', WHEN_ENABLED)
      .orderBy('dl.due_at')
      .limit(count)
      .execute()
    return {
      events: events.map(({ delivery, uuid, name, status, durationMs, ...event }) => {
        const attempt = madeAttempt(event)
        return {
          ...event,
          attempt,
          durationMs: attempt === null ? null : durationMs,
          status: status as StoredStatus,
          check: checkOf(uuid, name),
          test: delivery === null && uuid === null,
        }
      }),
      waiting: waiting.map(({ uuid, name, status, heldBy, ...row }) => ({
        ...row,
        held: heldBy,
        // The closing for a check that is no longer linked to the channel has no flip.
        status: (status ?? (uuid === null ? null : 'up')) as StoredStatus | null,
        check: checkOf(uuid, name),
      })),
    }
  },
)

function checkOf(uuid: string | null, name: string | null): { uuid: string; name: string } | null {
  return uuid === null ? null : { uuid, name: name ?? '' }
}
