import type { ExpressionBuilder } from 'kysely'
import type { AlertClass } from '../../core/alerts/delivery/allowance.js'
import type { Db } from '../db.js'
import { inOrder } from '../in-order.js'
import { prepared } from '../prepared.js'
import type { Tables } from '../tables.js'

/** An attempt, as shown on its channel: when it began, its duration (ms), and its error (empty: none). */
export interface ChannelUse {
  startedAt: number
  durationMs: number
  now: number
  error: string
}

/**
 * Records an attempt on the channel and on the groups that it was reached through. `sent`: the class of the message;
 * null if nothing was sent.
 */
export async function noteUse(
  db: Db,
  channelId: number,
  groupIds: readonly (number | null)[],
  use: ChannelUse,
  sent: AlertClass | null,
): Promise<void> {
  const ids = [...new Set([channelId, ...groupIds])].filter(id => id !== null)
  await inOrder(
    db,
    ...ids.map(id => () => (sent === null ? failed.all(db, { id, ...use }) : noteSent(db, id, use, sent))),
  )
}

interface Used extends ChannelUse, Record<string, string | number> {
  id: number
}

const failed = prepared((sql, value: Used) =>
  sql
    .updateTable('channels')
    .set(eb => attempt(eb, value))
    .where('id', '=', value.id),
)

async function noteSent(db: Db, id: number, use: ChannelUse, sent: AlertClass): Promise<void> {
  const isDown = sent === 'down'
  await counted.all(db, {
    id,
    ...use,
    down: isDown ? 1 : 0,
    other: isDown ? 0 : 1,
    minuteAgo: use.now - 60_000,
    hourAgo: use.now - 3_600_000,
  })
}

interface Counted extends Used {
  /** What the message adds to the counts: 1 for its class, 0 for the other. */
  down: number
  other: number
  minuteAgo: number
  hourAgo: number
}

type CountColumn = 'minute_down' | 'minute_other' | 'hour_down' | 'hour_other'

// The same as `withOneMore` in core/alerts/delivery/allowance.ts, without reading the channel first.
const counted = prepared((sql, value: Counted) =>
  sql
    .updateTable('channels')
    .set(eb => {
      const counts = (from: 'minute_from' | 'hour_from', ago: number) =>
        eb.and([eb(from, '>', ago), eb(from, '<=', value.now)])
      const minute = counts('minute_from', value.minuteAgo)
      const hour = counts('hour_from', value.hourAgo)
      const more = (count: CountColumn, running: typeof minute, by: number) =>
        eb
          .case()
          .when(running)
          .then(eb(count, '+', by))
          .else(by)
          .end()
      return {
        ...attempt(eb, value),
        minute_down: more('minute_down', minute, value.down),
        minute_other: more('minute_other', minute, value.other),
        minute_from: eb.case().when(minute).then(eb.ref('minute_from')).else(value.now).end(),
        hour_down: more('hour_down', hour, value.down),
        hour_other: more('hour_other', hour, value.other),
        hour_from: eb.case().when(hour).then(eb.ref('hour_from')).else(value.now).end(),
      }
    })
    .where('id', '=', value.id),
)

/** The columns about the attempt. A channel that an attempt reached is not unreachable. */
function attempt(eb: ExpressionBuilder<Tables, 'channels'>, { startedAt, durationMs, error }: Used) {
  const isReached = eb(eb.val(error), '=', '')
  return {
    last_notify: startedAt,
    last_duration: durationMs,
    last_error: error,
    unreachable_at: eb.case().when(isReached).then(null).else(eb.ref('unreachable_at')).end(),
    probe_at: eb.case().when(isReached).then(null).else(eb.ref('probe_at')).end(),
    failing_ms: eb.case().when(isReached).then(0).else(eb.ref('failing_ms')).end(),
  }
}
