import type { Db } from '../db.js'
import { write } from '../method.js'

/**
 * Does what recording a ping does to the tables, and undoes it: throws what a ping would be refused with. For nothing
 * but to find out when that is over.
 */
export const probe = write(async (db: Db, now: number): Promise<void> => {
  await db.sql.updateTable('checks').set({ n_pings: 0 }).where('id', '=', NO_CHECK).execute()
  const { id } = await db.sql
    .insertInto('pings')
    .values({
      check_id: NO_CHECK,
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
  await db.sql.deleteFrom('pings').where('id', '=', id).execute()
})

/** Ids begin with 1. */
const NO_CHECK = 0
