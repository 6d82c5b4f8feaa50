/** The state of the whole instance, from its database. */
import { troubleSince } from '../../core/instance/beats.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { allBeats, holdOfTrouble } from './outages.js'

export interface InstanceState {
  /** When a process last accepted pings (ms); and since when pings fail in some process, or none accepts them. */
  beatAt: number | null
  troubleSince: number | null
  /** The waiting deliveries and e-mails, and when (ms) the oldest of each was created. */
  deliveries: number
  oldestDelivery: number | null
  openIncidents: number
  mails: number
  oldestMail: number | null
  /** The number of enabled channels. */
  channels: number
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
  const waiting = async (table: 'deliveries' | 'mails') => {
    const { rows, oldest } = await db.sql
      .selectFrom(table)
      .select(eb => [
        eb.fn.countAll<number>().as('rows'),
        eb.fn.min<number | null>('created_at').as('oldest'),
      ])
      // Deliveries that wait until their channel is enabled do not count.
      .where('due_at', '<', WHEN_ENABLED)
      .executeTakeFirstOrThrow()
    return { rows: Number(rows), oldest }
  }
  const channels = await db.sql
    .selectFrom('channels')
    .select(eb => eb.fn.countAll<number>().as('rows'))
    .where('disabled', '=', 0)
    .executeTakeFirstOrThrow()
  const incidents = await db.sql
    .selectFrom('incidents')
    .select(eb => eb.fn.countAll<number>().as('rows'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const beats = await allBeats(db)
  const [deliveries, mails] = [await waiting('deliveries'), await waiting('mails')]
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
    openIncidents: Number(incidents.rows),
    mails: mails.rows,
    oldestMail: mails.oldest,
    channels: Number(channels.rows),
    wakeAt: woken?.at ?? null,
    outages: await count('outages'),
    heldUntil: (await holdOfTrouble(db, now))?.until ?? null,
    uploads: await count('uploads'),
    removals: await count('removals'),
  }
})
