/** Bodies that wait for upload to object storage, and are read from here until then. */

import { sql } from 'kysely'
import { bodyKey, LARGE_BODY_BYTES } from '../../core/pings/body-key.js'
import { chunks } from '../chunks.js'
import { type Claim, claimDue } from '../claims.js'
import type { Db } from '../db.js'
import type { PingRow } from '../dialect.js'
import { gatheredWhere } from '../gathered.js'
import { read, write } from '../method.js'
import { prepared } from '../prepared.js'

/** A body that this process may upload until its lease ends. */
export interface ClaimedUpload {
  key: string
  body: Uint8Array
  tries: number
}

/** Moves large bodies from the log's rows to uploads if there is object storage, and returns both. */
export function separateLargeBodies(
  db: Db,
  rows: readonly (PingRow & { checkUuid: string })[],
): { log: readonly PingRow[]; uploads: NewUpload[] } {
  const uploads: NewUpload[] = []
  if (!db.settings.objectStorage) return { log: rows, uploads }
  const log = rows.map(({ checkUuid, ...row }): PingRow => {
    if (row.body === null || row.body.length <= LARGE_BODY_BYTES) return row
    const key = bodyKey(checkUuid, row.n)
    uploads.push({ key, check_id: row.check_id, n: row.n, body: row.body, due_at: row.created_at })
    return { ...row, body: null, object_size: row.body.length }
  })
  return { log, uploads }
}

type NewUpload = { key: string; check_id: number; n: number; body: Uint8Array; due_at: number }

/** Queues bodies for upload. */
export async function insertUploads(db: Db, uploads: readonly NewUpload[]): Promise<void> {
  for (const some of chunks(uploads, Math.floor(db.dialect.maxParameters / 5))) {
    // After a backup was restored, a number may be reused: then the later body counts.
    await db.sql
      .insertInto('uploads')
      .values(some)
      .onConflict(oc =>
        oc
          .column('key')
          .doUpdateSet(eb => ({ body: eb.ref('excluded.body'), due_at: eb.ref('excluded.due_at') })),
      )
      .execute()
  }
}

/** The body of a ping that is not in object storage yet, or null. */
export async function waitingBody(db: Db, checkUuid: string, n: number): Promise<Uint8Array | null> {
  const [row] = await byKey.all(db, { key: bodyKey(checkUuid, n) })
  return row ? new Uint8Array(row.body) : null
}

const byKey = prepared((sql, value: { key: string }) =>
  sql.selectFrom('uploads').select('body').where('key', '=', value.key),
)

/** When the next upload or removal is due (ms), or null if there is none. */
export const nextObjectTask = read(async (db: Db): Promise<number | null> => {
  const [uploads] = await nextUpload.all(db, {})
  const [removals] = await nextRemoval.all(db, {})
  const next = Math.min(uploads?.at ?? Number.POSITIVE_INFINITY, removals?.at ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(next) ? next : null
})

const nextUpload = prepared(sql =>
  sql.selectFrom('uploads').select(eb => eb.fn.min<number | null>('due_at').as('at')),
)

const nextRemoval = prepared(sql =>
  sql.selectFrom('removals').select(eb => eb.fn.min<number | null>('due_at').as('at')),
)

/**
 * Claims up to `limit` bodies for upload, until `leaseUntil`. If the ping of a body was deleted, its object is queued
 * for removal instead, in case an earlier attempt created it.
 */
export const claimUploads = write(async (db: Db, claim: Claim): Promise<ClaimedUpload[]> => {
  const won = await claimDue(db, 'uploads', claim)
  const gone = await forgetUploadsOfGonePings(
    db,
    won.map(row => row.key),
  )
  return won
    .filter(row => !gone.has(row.key))
    .map(row => ({ key: row.key, body: new Uint8Array(row.body), tries: row.tries }))
})

/** Records that these bodies were uploaded: from now on they are read from object storage. */
export const confirmUploads = write(async (db: Db, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  await forgetUploadsOfGonePings(db, keys)
  await db.sql.deleteFrom('uploads').where('key', 'in', keys).execute()
})

/** Releases bodies that were not uploaded, to be retried at `dueAt`. */
export const postponeUploads = write(
  async (db: Db, keys: readonly string[], dueAt: number): Promise<void> => {
    if (keys.length === 0) return
    await db.sql.updateTable('uploads').set({ due_at: dueAt }).where('key', 'in', keys).execute()
  },
)

/** An upload stays after its ping was deleted, so that its object is removed in any case. */
async function forgetUploadsOfGonePings(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const gone = await gatheredWhere(db, () => ({
    pings: sql`(check_id, n) IN (SELECT u.check_id, u.n FROM uploads u WHERE u.key = ANY(${sql.val([...keys])}::text[]))`,
  }))
    .selectFrom('uploads as u')
    .leftJoin('pings as p', join => join.onRef('p.check_id', '=', 'u.check_id').onRef('p.n', '=', 'u.n'))
    .select(['u.key', 'u.n'])
    .where('u.key', 'in', keys)
    .where('p.id', 'is', null)
    .execute()
  if (gone.length === 0) return new Set()
  const removals = gone.map(({ key, n }) => ({ check_uuid: key.slice(0, key.indexOf('/')), n, due_at: 0 }))
  await db.sql.insertInto('removals').values(removals).execute()
  const found = gone.map(row => row.key)
  await db.sql.deleteFrom('uploads').where('key', 'in', found).execute()
  return new Set(found)
}
