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
  const named = await ofChecks(
    db,
    {},
    checkIds.map(id => ({ id })),
  )
  const targets = named.map(({ channelId, memberId }) => memberId ?? channelId)
  const ids = [...new Set([...named.map(({ channelId }) => channelId), ...targets])]
  const states = await disabledAmong(
    db,
    {},
    ids.map(id => ({ id })),
  )
  const disabled = new Map(states.map(({ id, disabled: is }) => [id, is === 1]))
  const found = new Map<string, Link & { first: number }>()
  for (const [place, { checkId, channelId: linkedId, groupId }] of named.entries()) {
    const channelId = targets[place]!
    if (!disabled.has(linkedId) || !disabled.has(channelId)) continue
    const through = groupId ?? 0
    const isDisabled = disabled.get(linkedId)! || disabled.get(channelId)!
    const key = `${checkId} ${channelId}`
    const known = found.get(key) ?? { checkId, channelId, groupId: null, isDisabled: true, first: through }
    const isBetter = !isDisabled && (known.isDisabled || through < (known.groupId ?? 0))
    found.set(key, {
      ...known,
      first: Math.min(known.first, through),
      ...(isBetter && { isDisabled: false, groupId: through || null }),
    })
  }
  return [...found.values()]
    .toSorted((one, other) => one.first - other.first || one.channelId - other.channelId)
    .map(({ first: _, ...link }) => link)
}

const ofChecks = preparedList((sql, _: Record<string, never>, items: { id: number }[]) =>
  sql
    .selectFrom('check_channels as cc')
    .leftJoin('group_members as gm', 'gm.group_id', 'cc.channel_id')
    .select(['cc.check_id as checkId', 'cc.channel_id as channelId'])
    .select(['gm.group_id as groupId', 'gm.member_id as memberId'])
    .where(
      'cc.check_id',
      'in',
      items.map(({ id }) => id),
    ),
)

/** Not joined with the links: by statistics that are old, PostgreSQL compared every channel with every other for each link, for many seconds. */
const disabledAmong = preparedList((sql, _: Record<string, never>, items: { id: number }[]) =>
  sql
    .selectFrom('channels')
    .select(['id', 'disabled'])
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    ),
)

/** The channels of each check. */
export function channelsByCheck(links: readonly Link[]): Map<number, LinkedChannel[]> {
  const channels = new Map<number, LinkedChannel[]>()
  for (const { checkId, ...channel } of links) appendTo(channels, checkId, channel)
  return channels
}
