import { sql } from 'kysely'
import { appendTo } from '../../lib/append-to.js'
import type { Db } from '../db.js'
import type { LinkedChannel } from '../incidents/policies/policy-channels.js'
import { preparedList } from '../prepared.js'

/** A channel that a check is linked to. */
export interface Link {
  checkId: number
  channelId: number
  /** The group through which it is reached; null: it is linked directly, or disabled. */
  groupId: number | null
  isDisabled: boolean
}

/**
 * The channels that checks are linked to, with groups expanded to their members, each channel of a check once: directly, or through the
 * first group; an enabled link wins. Those with a direct link come first.
 */
export async function linksOf(db: Db, checkIds: readonly number[]): Promise<Link[]> {
  const rows = await ofChecks(
    db,
    {},
    checkIds.map(id => ({ id })),
  )
  return rows.map(({ checkId, channelId, through }) => ({
    checkId,
    channelId,
    groupId: through || null,
    isDisabled: through === null,
  }))
}

/** The first group through which an enabled link leads to a channel: 0 for a direct one, null if there is none. */
const THROUGH = sql<number | null>`
  min(CASE WHEN target.disabled + linked.disabled = 0 THEN coalesce(gm.group_id, 0) END)`

const ofChecks = preparedList((db, _: Record<string, never>, items: { id: number }[]) =>
  db
    .selectFrom('check_channels as cc')
    .innerJoin('channels as linked', 'linked.id', 'cc.channel_id')
    .leftJoin('group_members as gm', 'gm.group_id', 'linked.id')
    .innerJoin('channels as target', join =>
      join.on('target.id', '=', sql<number>`coalesce(gm.member_id, linked.id)`),
    )
    .select(['cc.check_id as checkId', 'target.id as channelId'])
    .select(THROUGH.as('through'))
    .where(
      'cc.check_id',
      'in',
      items.map(({ id }) => id),
    )
    .groupBy(['cc.check_id', 'target.id'])
    .orderBy(sql`min(coalesce(gm.group_id, 0))`)
    .orderBy('target.id'),
)

/** The channels of each check. */
export function channelsByCheck(links: readonly Link[]): Map<number, LinkedChannel[]> {
  const channels = new Map<number, LinkedChannel[]>()
  for (const { checkId, ...channel } of links) appendTo(channels, checkId, channel)
  return channels
}
