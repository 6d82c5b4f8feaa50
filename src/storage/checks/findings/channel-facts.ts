import type { ChannelFacts } from '../../../core/checks/findings/index.js'
import type { PolicyRules } from '../../../core/incidents/policy.js'
import { channelsByCheck, linksOf } from '../../channels/channel-links.js'
import type { Db } from '../../db.js'
import { type LinkedChannel, policyChannels } from '../../incidents/policies/policy-channels.js'
import { namesIn, stepChannels } from '../../incidents/policies/step-channels.js'
import { prepared, preparedList } from '../../prepared.js'

const MOST_CHANNELS = 100
/** The number of a channel's last messages that are searched for one that arrived. */
const MOST_MESSAGES = 100

/** The channels that are alerted of a check, by its policy or without one, for findings. */
export async function channelFacts(
  db: Db,
  check: { id: number; projectId: number },
  policy: PolicyRules | null,
): Promise<ChannelFacts[]> {
  const alerted = (await alertedChannels(db, check, policy)).slice(0, MOST_CHANNELS)
  if (alerted.length === 0) return []
  const rows = await factsOf(
    db,
    {},
    alerted.map(({ channelId }) => ({ channelId })),
  )
  const facts = new Map(rows.map(row => [row.id, row]))
  const reported = rows.some(hasDelivered) ? new Set() : await reportedTo(db, check.id)
  return alerted.flatMap(({ channelId, isDisabled }) => {
    const row = facts.get(channelId)
    if (!row) return []
    return {
      enabled: !isDisabled && row.confirmed === 1,
      delivered: hasDelivered(row) || reported.has(channelId),
    }
  })
}

function hasDelivered({ lastNotify, lastError, delivered }: FactsRow): boolean {
  return (lastNotify !== null && lastError === '') || delivered !== null
}

/** The channels that the page says were sent the alert of this check, although its log may not have the message any more. */
async function reportedTo(db: Db, checkId: number): Promise<Set<number>> {
  const rows = await reportedChannels.all(db, { checkId })
  return new Set(rows.map(row => row.channelId))
}

const reportedChannels = prepared((sql, value: { checkId: number }) =>
  sql.selectFrom('reported').select('channel_id as channelId').where('check_id', '=', value.checkId),
)

interface FactsRow {
  lastNotify: number | null
  lastError: string
  delivered: number | null
}

async function alertedChannels(
  db: Db,
  { id, projectId }: { id: number; projectId: number },
  policy: PolicyRules | null,
): Promise<readonly LinkedChannel[]> {
  const links = channelsByCheck(await linksOf(db, [id])).get(id) ?? []
  if (policy === null) return links
  const names = namesIn([policy])
  const named = names.length > 0 ? await stepChannels(db, names) : []
  return policyChannels(
    policy,
    links,
    named.filter(channel => channel.projectId === projectId),
  )
}

const factsOf = preparedList((sql, _: Record<string, never>, items: { channelId: number }[]) =>
  sql
    .selectFrom('channels as ch')
    .select(['ch.id', 'ch.confirmed', 'ch.last_notify as lastNotify', 'ch.last_error as lastError'])
    .select(eb =>
      eb
        .selectFrom(
          eb
            .selectFrom('notifications')
            .select(['id', 'error'])
            .whereRef('channel_id', '=', 'ch.id')
            .orderBy('id', 'desc')
            .limit(MOST_MESSAGES)
            .as('n'),
        )
        .select('n.id')
        .where('n.error', '=', '')
        .limit(1)
        .as('delivered'),
    )
    .where(
      'ch.id',
      'in',
      items.map(({ channelId }) => channelId),
    ),
)
