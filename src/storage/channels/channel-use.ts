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

/** Records an attempt by which nothing was sent on the channel and on the groups that it was made for. */
export async function noteUse(
  db: Db,
  channelId: number,
  groupIds: readonly (number | null)[],
  use: ChannelUse,
): Promise<void> {
  await inOrder(db, ...idsOf(channelId, groupIds).map(id => () => failed.all(db, { id, ...use })))
}

/** A message that was sent: the groups that its channel was reached through, and its class. */
export interface SentMessage {
  use: ChannelUse
  groupIds: readonly (number | null)[]
  sent: AlertClass
}

/**
 * Records messages that were sent through the channel on it and on the groups that it was reached through: all are
 * counted, and the latest is shown.
 */
export async function noteMessages(
  db: Db,
  channelId: number,
  messages: readonly SentMessage[],
): Promise<void> {
  const used = idsOf(
    channelId,
    messages.flatMap(({ groupIds }) => groupIds),
  )
  const through = (id: number) => messages.filter(({ groupIds }) => id === channelId || groupIds.includes(id))
  await inOrder(db, ...used.map(id => () => counted.all(db, countsOf(id, through(id)))))
}

/** The channel and its groups, each once. Groups are in order, because other channels may share and lock them. */
function idsOf(channelId: number, groupIds: readonly (number | null)[]): number[] {
  const groups = groupIds.filter(id => id !== null).sort((a, b) => a - b)
  return [...new Set([channelId, ...groups])]
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

interface Counted extends Used {
  /** What the messages add to the counts of their classes. */
  down: number
  other: number
  minuteAgo: number
  hourAgo: number
}

function countsOf(id: number, messages: readonly SentMessage[]): Counted {
  const { startedAt, durationMs, error, now } = messages
    .map(({ use }) => use)
    .reduce((latest, use) => (use.now >= latest.now ? use : latest))
  const down = messages.filter(({ sent }) => sent === 'down').length
  return {
    id,
    startedAt,
    durationMs,
    error,
    now,
    down,
    other: messages.length - down,
    minuteAgo: now - 60_000,
    hourAgo: now - 3_600_000,
  }
}

type CountColumn = 'minute_down' | 'minute_other' | 'hour_down' | 'hour_other'

// For each message the same as `withOneMore` in core/alerts/delivery/allowance.ts, without reading the channel first.
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

/**
 * The columns about the attempt. A channel that an attempt reached is not unreachable. What was accepted may bounce, so it says
 * nothing about `unknown_since`; see `unknownSince`.
 */
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
