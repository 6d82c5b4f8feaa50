import { sql } from 'kysely'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { lockedAmong, lockedOf, skippingLocked } from '../locks.js'
import { write } from '../method.js'

/**
 * Reads what pings need and writes to the same tables, and undoes it, to find out whether all pings can be recorded again: throws
 * the error that would refuse a ping. `part`: for this part of the checks, where they have parts (citus/probe-part.ts does it there);
 * else for those of all servers that are there.
 */
export const probe = write(async (db: Db, now: number, _part?: string): Promise<void> => {
  await readNeeded(db)
  await probeCheck(db, now, NO_CHECK)
})

/** Reads what pings need beside what is written for their check: on Citus, from the coordinator. */
export async function readNeeded(db: Db): Promise<void> {
  await db.dialect.findBySlug([{ pingKey: '', slug: '' }])
  const { rows } = await sql`${sql.join(NEEDED.map(anyOf), sql` UNION ALL `)}`.execute(db.sql)
  if (rows.length > 0) throw new Error('a condition that is never true was')
}

/** The tables that some pings need: by their slug, with keywords, of a check that comes up or goes down, and those that create one. */
const NEEDED = [
  'projects',
  'check_details',
  'check_channels',
  'channels',
  'group_members',
  'flips',
  'passed_deadlines',
  'deliveries',
  'incidents',
  'incident_channels',
  'events',
  'outages',
] as const

function anyOf(table: string) {
  return sql`SELECT 1 FROM ${sql.table(table)} WHERE 1 = 0`
}

/** The checks with these IDs that another transaction has locked. */
export const lockedChecks = write(async (db: Db, ids: readonly number[]): Promise<number[]> => {
  const among = (some: readonly number[]) => db.sql.selectFrom('checks').select('id').where('id', 'in', some)
  const locked: number[] = []
  for (const some of chunks(ids, db.dialect.maxParameters)) {
    const found = await lockedAmong(some, {
      free: few => lockedOf(db, few, group => skippingLocked(db, among(group))),
      there: few => among(few).execute(),
    })
    locked.push(...found)
  }
  return locked
})

/** As {@link probe}, for a check that does not exist. */
export async function probeCheck(db: Db, now: number, checkId: number): Promise<void> {
  await db.sql.updateTable('checks').set({ n_pings: 0 }).where('id', '=', checkId).execute()
  const { id } = await db.sql
    .insertInto('pings')
    .values({
      check_id: checkId,
      n: 0,
      created_at: now,
      created_us: 0,
      kind: 'log',
      scheme: '',
      remote_addr: null,
      method: '',
      ua: '',
      rid: null,
      exit_status: null,
      body: null,
      object_size: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.sql.deleteFrom('pings').where('check_id', '=', checkId).where('id', '=', id).execute()
}

/** IDs begin with 1. */
const NO_CHECK = 0
