/** The state of the whole instance, from its database. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { troubleSince } from '../../core/instance/beats.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { MAY_GET_MAIL } from '../people/may-get-mail.js'
import type { Tables } from '../tables.js'
import { allBeats, holdOfTrouble } from './outages.js'

export interface InstanceState {
  /** When a process last accepted pings (ms); and since when pings fail in some process, or none accepts them. */
  beatAt: number | null
  troubleSince: number | null
  /** The deliveries that are to be made and the waiting e-mails to people who may get e-mail, and when (ms) the oldest of each was created. */
  deliveries: number
  oldestDelivery: number | null
  /** The deliveries that wait for the end of a silence, of what their check depends on, or of flapping. */
  heldDeliveries: number
  openIncidents: number
  mails: number
  oldestMail: number | null
  /** When the watcher has to look next (ms); in the past if it is late. */
  wakeAt: number | null
  outages: number
  /** Until when (ms) deadlines are held after an outage, or null. */
  heldUntil: number | null
  /** The bodies that wait for upload to object storage, and the objects that wait for removal. */
  uploads: number
  removals: number
}

/** The state of the instance at `now`. */
export const state = read(async (db: Db, now: number): Promise<InstanceState> => {
  const count = async (table: 'outages' | 'uploads' | 'removals') => {
    const row = await db.sql
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(row.rows)
  }
  const waiting = async (from: SelectQueryBuilder<Tables, 'deliveries' | 'mails', object>) => {
    const { rows, oldest } = await from
      .select(eb => [
        eb.fn.countAll<number>().as('rows'),
        eb.fn.min<number | null>('created_at').as('oldest'),
      ])
      .executeTakeFirstOrThrow()
    return { rows: Number(rows), oldest }
  }
  const incidents = await db.sql
    .selectFrom('incidents')
    .select(eb => eb.fn.countAll<number>().as('rows'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const beats = await allBeats(db)
  const ofDeliveries = db.sql.selectFrom('deliveries').where('due_at', '<', WHEN_ENABLED)
  const deliveries = await waiting(ofDeliveries.where(eb => eb.not(isHeld(now))))
  const held = await waiting(ofDeliveries.where(isHeld(now)))
  const mails = await waiting(
    db.sql
      .selectFrom('mails')
      .where('sent_at', 'is', null)
      // One about a quota is queued a day ahead.
      .where(eb => eb.or([eb('attempts', '>', 0), eb('due_at', '<=', now)]))
      .where('user_id', 'in', eb => eb.selectFrom('users').select('id').where(MAY_GET_MAIL)),
  )
  const woken = await db.sql
    .selectFrom('checks')
    .select(eb => eb.fn.min<number | null>('wake_at').as('at'))
    .where('wake_at', 'is not', null)
    .executeTakeFirst()
  return {
    beatAt: beats.length === 0 ? null : Math.max(...beats.map(beat => beat.beatAt)),
    troubleSince: troubleSince(beats, now),
    deliveries: deliveries.rows,
    oldestDelivery: deliveries.oldest,
    heldDeliveries: held.rows,
    openIncidents: Number(incidents.rows),
    mails: mails.rows,
    oldestMail: mails.oldest,
    wakeAt: woken?.at ?? null,
    outages: await count('outages'),
    heldUntil: (await holdOfTrouble(db, now))?.until ?? null,
    uploads: await count('uploads'),
    removals: await count('removals'),
  }
})

/** Whether a delivery waits because it shall not be sent yet, and not because it cannot be. */
export function isHeld(now: number) {
  return sql<SqlBool>`(coalesce(held_by, '') IN ('silence', 'dependency', 'flapping', 'acknowledged') AND due_at > ${now})`
}
