/** What became of an attempt. One transaction: the delivery, its attempt's row, and the channel's state. */
import type { Notice } from '../core/alert.js'
import type { News } from '../core/noise.js'
import { changeSettings } from './change-settings.js'
import type { Db } from './db.js'
import { disableChannel } from './disable-channel.js'
import { type QueuedMail, queueTeamMails } from './mails.js'
import { prepared } from './prepared.js'

/** The outcome of one attempt at a claimed delivery. Instants and durations in ms. */
export interface Settlement {
  worker: string
  deliveryUuid: string
  notificationUuid: string
  startedAt: number
  durationMs: number
  now: number
  outcome: (
    | {
        type: 'sent'
        news: News
        /** `begun`: the channel was told that the check is flapping; `over`: that it is steady again. */
        flapping?: 'begun' | 'over'
      }
    /** The channel does not tell of this direction: nothing is stored. */
    | { type: 'unwanted' }
    /** A newer change of the same check is told instead. */
    | { type: 'superseded' }
    | { type: 'retry'; error: string; dueAt: number }
    /** The receiver takes no more messages for now: no attempt was made. */
    | { type: 'wait'; dueAt: number }
    | {
        type: 'gave-up'
        error: string
        /** What the people of the project are told of it. */
        mail?: QueuedMail
      }
    /** Trying again is of no use: the channel is disabled, and the project's other channels hear of it. */
    | { type: 'disable'; error: string; notice: Omit<Notice, 'now' | 'site'> }
  ) & {
    /** What the integration found to be different now. */
    settings?: Readonly<Record<string, string>>
  }
}

/** The longest error text kept. */
export const ERROR_LENGTH = 200

/** Settles an attempt. Returns false when the claim was lost meanwhile (then only the attempt is noted). */
export async function settleDelivery(db: Db, settlement: Settlement): Promise<boolean> {
  const { outcome, notificationUuid } = settlement
  const { deliveryUuid, worker } = settlement
  const [delivery] = await claimed.all(db, { deliveryUuid, worker })
  const error = 'error' in outcome ? outcome.error.slice(0, ERROR_LENGTH) : ''
  if (outcome.type === 'unwanted' || outcome.type === 'wait') {
    await db.sql.deleteFrom('notifications').where('uuid', '=', notificationUuid).execute()
  } else {
    await attempted.all(db, {
      notificationUuid,
      error: outcome.type === 'superseded' ? 'Superseded by a newer status change' : error,
      durationMs: settlement.durationMs,
    })
  }
  if (!delivery) return false
  if (outcome.type === 'retry' || outcome.type === 'wait') {
    await db.sql
      .updateTable('deliveries')
      .set({
        attempts: delivery.attempts + (outcome.type === 'retry' ? 1 : 0),
        due_at: outcome.dueAt,
        claimed_by: null,
        claimed_until: null,
      })
      .where('id', '=', delivery.id)
      .execute()
  } else {
    await told.all(db, { id: delivery.id })
  }
  if (outcome.type === 'superseded') await passOn(db, delivery)
  if (outcome.type === 'superseded' || outcome.type === 'unwanted' || outcome.type === 'wait') return true
  if (outcome.settings) await changeSettings(db, delivery.channel_id, outcome.settings)
  await noteOnChannels(db, [delivery], settlement, error, outcome.type === 'sent' ? outcome.news : null)
  if (outcome.type === 'sent' && outcome.flapping)
    await noteFlapping(db, delivery, outcome.flapping, settlement)
  if (outcome.type === 'gave-up' && outcome.mail) {
    await queueTeamMails(db, delivery.channel_id, outcome.mail, settlement.now)
  }
  if (outcome.type === 'disable')
    await disableChannel(db, delivery.channel_id, outcome.notice, settlement.now)
  return true
}

/** The next change of the same check for the same channel says that an older one was not told. */
async function passOn(
  db: Db,
  delivery: { channel_id: number; check_id: number | null; superseded: number },
): Promise<void> {
  const next = await db.sql
    .selectFrom('deliveries')
    .select('id')
    .where('channel_id', '=', delivery.channel_id)
    .where('check_id', '=', delivery.check_id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!next) return
  await db.sql
    .updateTable('deliveries')
    .set({ superseded: delivery.superseded + 1 })
    .where('id', '=', next.id)
    .execute()
}

/**
 * Notes an attempt on the channels that it concerns: the ones told, and the groups that they were reached through.
 * `sent` is what it told of; null where nothing was sent.
 */
export async function noteOnChannels(
  db: Db,
  deliveries: readonly { channel_id: number; group_id: number | null }[],
  attempt: Pick<Settlement, 'startedAt' | 'durationMs' | 'now'>,
  error: string,
  sent: News | null,
): Promise<void> {
  const ids = deliveries.flatMap(({ channel_id, group_id }) =>
    group_id ? [channel_id, group_id] : [channel_id],
  )
  for (const channelId of new Set(ids)) {
    await used.all(db, {
      channelId,
      startedAt: attempt.startedAt,
      durationMs: attempt.durationMs,
      error,
      falls: sent === 'fall' ? 1 : 0,
      others: sent === 'other' ? 1 : 0,
      now: attempt.now,
      minuteAgo: attempt.now - 60_000,
      hourAgo: attempt.now - 3_600_000,
    })
  }
}

async function noteFlapping(
  db: Db,
  delivery: { channel_id: number; check_id: number | null; flip_id: number | null },
  flapping: 'begun' | 'over',
  { now }: Settlement,
): Promise<void> {
  if (delivery.check_id === null || delivery.flip_id === null) return
  const row = { check_id: delivery.check_id, channel_id: delivery.channel_id }
  await db.sql
    .deleteFrom('flapping')
    .where('check_id', '=', row.check_id)
    .where('channel_id', '=', row.channel_id)
    .execute()
  if (flapping === 'over') return
  await db.sql
    .insertInto('flapping')
    .columns(['check_id', 'channel_id', 'told_at', 'changed_at'])
    .expression(eb =>
      eb
        .selectFrom('flips')
        .select(s => [s.lit(row.check_id).as('check_id'), s.lit(row.channel_id).as('channel_id')])
        .select(s => [s.lit(now).as('told_at'), 'created_at as changed_at'])
        .where('id', '=', delivery.flip_id),
    )
    .execute()
}

const claimed = prepared((sql, value: { deliveryUuid: string; worker: string }) =>
  sql
    .selectFrom('deliveries')
    .select(['id', 'channel_id', 'check_id', 'flip_id', 'group_id', 'attempts', 'superseded'])
    .where('uuid', '=', value.deliveryUuid)
    .where('claimed_by', '=', value.worker),
)

const attempted = prepared((sql, value: { notificationUuid: string; error: string; durationMs: number }) =>
  sql
    .updateTable('notifications')
    .set({ error: value.error, duration: value.durationMs })
    .where('uuid', '=', value.notificationUuid),
)

const told = prepared((sql, value: { id: number }) => sql.deleteFrom('deliveries').where('id', '=', value.id))

interface Used extends Record<string, string | number> {
  channelId: number
  startedAt: number
  durationMs: number
  error: string
  /** What the message adds to the counts: 1 to one of them, or nothing where none was sent. */
  falls: number
  others: number
  now: number
  minuteAgo: number
  hourAgo: number
}

type CountColumn = 'minute_falls' | 'minute_others' | 'hour_falls' | 'hour_others'

// The counts are those of core/noise.ts: a count that ran out begins anew.
const used = prepared((sql, value: Used) =>
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
        last_notify: value.startedAt,
        last_duration: value.durationMs,
        last_error: value.error,
        minute_falls: more('minute_falls', minute, value.falls),
        minute_others: more('minute_others', minute, value.others),
        minute_from: eb.case().when(minute).then(eb.ref('minute_from')).else(value.now).end(),
        hour_falls: more('hour_falls', hour, value.falls),
        hour_others: more('hour_others', hour, value.others),
        hour_from: eb.case().when(hour).then(eb.ref('hour_from')).else(value.now).end(),
      }
    })
    .where('id', '=', value.channelId),
)
