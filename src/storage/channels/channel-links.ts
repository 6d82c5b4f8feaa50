import { sql } from 'kysely'
import type { Db } from '../db.js'
import type { LinkedChannel } from '../incidents/policies/policy-channels.js'
import { preparedList } from '../prepared.js'

/** A link, with the group that the channel is reached through, or null. */
export interface Link {
  checkId: number
  channelId: number
  groupId: number | null
  /** 1 if the channel, or the group, is disabled. */
  disabled: number
  groupDisabled: number
}

/** The channels that checks are linked to, with groups expanded to their members. */
export async function linksOf(db: Db, checkIds: readonly number[]): Promise<Link[]> {
  return await ofChecks(
    db,
    {},
    checkIds.map(id => ({ id })),
  )
}

const ofChecks = preparedList((db, _: Record<string, never>, items: { id: number }[]) =>
  db
    .selectFrom('check_channels as cc')
    .innerJoin('channels as linked', 'linked.id', 'cc.channel_id')
    .leftJoin('group_members as gm', 'gm.group_id', 'linked.id')
    .innerJoin('channels as target', join =>
      join.on('target.id', '=', sql<number>`coalesce(gm.member_id, linked.id)`),
    )
    .select(['cc.check_id as checkId', 'target.id as channelId', 'gm.group_id as groupId'])
    .select(['target.disabled', 'linked.disabled as groupDisabled'])
    .where(
      'cc.check_id',
      'in',
      items.map(({ id }) => id),
    )
    // A channel linked both directly and through a group counts as linked directly.
    .orderBy(sql`coalesce(gm.group_id, 0)`),
)

/** The channels of each check, each once: an enabled link wins. */
export function channelsByCheck(links: readonly Link[]): Map<number, LinkedChannel[]> {
  const channels = new Map<number, Map<number, LinkedChannel>>()
  for (const { checkId, channelId, groupId, disabled, groupDisabled } of links) {
    const isDisabled = disabled === 1 || groupDisabled === 1
    const ofCheck = channels.get(checkId) ?? new Map<number, LinkedChannel>()
    channels.set(checkId, ofCheck)
    if (ofCheck.get(channelId)?.isDisabled ?? true) ofCheck.set(channelId, { channelId, groupId, isDisabled })
  }
  return new Map([...channels].map(([checkId, ofCheck]) => [checkId, [...ofCheck.values()]]))
}
