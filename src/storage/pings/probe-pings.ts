import type { Db } from '../db.js'
import { checkInPart } from '../instance/parts.js'
import { write } from '../method.js'

/**
 * Writes to the same tables as a ping does, and undoes it, to find out whether pings can be recorded again: throws
 * the error that would refuse a ping. `part`: for this part of the checks: a single one, or those of a server
 * (citus/probe-part.ts does it there); else for those of all servers that are there.
 */
export const probe = write(async (db: Db, now: number, part?: string): Promise<void> => {
  const checkId = part === undefined ? null : checkInPart(part)
  if (checkId === null) await probeCheck(db, now, NO_CHECK)
  else await requireUnlocked(db, checkId)
})

/** Throws if another transaction has locked the check. */
async function requireUnlocked(db: Db, checkId: number): Promise<void> {
  if (!db.dialect.hasConcurrentWrites) return
  const row = db.sql.selectFrom('checks').select('id').where('id', '=', checkId)
  await row.forNoKeyUpdate().noWait().execute()
}

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
