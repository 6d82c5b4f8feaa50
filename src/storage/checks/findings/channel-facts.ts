import type { ChannelFacts } from '../../../core/checks/findings/index.js'
import type { Db } from '../../db.js'
import { prepared } from '../../prepared.js'

const MOST_CHANNELS = 100
/** The number of a channel's last messages that are searched for one that arrived. */
const MOST_MESSAGES = 100

/** The channels of a check, for findings. */
export async function channelFacts(db: Db, checkId: number): Promise<ChannelFacts[]> {
  const rows = await ofCheck.all(db, { checkId })
  return rows.map(({ disabled, confirmed, lastNotify, lastError, delivered }) => ({
    enabled: disabled === 0 && confirmed === 1,
    delivered: (lastNotify !== null && lastError === '') || delivered !== null,
  }))
}

const ofCheck = prepared((sql, value: { checkId: number }) =>
  sql
    .selectFrom('check_channels as cc')
    .innerJoin('channels as ch', 'ch.id', 'cc.channel_id')
    .select(['ch.disabled', 'ch.confirmed', 'ch.last_notify as lastNotify', 'ch.last_error as lastError'])
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
    .where('cc.check_id', '=', value.checkId)
    .limit(MOST_CHANNELS),
)
