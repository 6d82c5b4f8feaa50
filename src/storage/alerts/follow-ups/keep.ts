/** What follows from a change and is too much for its transaction is kept, and done in slices. Decision 0155. */
import { type OnConflictBuilder, type RawBuilder, sql } from 'kysely'
import { MOST_DELIVERIES } from '../../channels/count-targets.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import type { Tables } from '../../tables.js'
import type { FollowUp, FollowUpKind, KeptFollowUp, OfProject } from './follow-up.js'

/** Whether the queries `rows` of chunks of `ids` have more rows in all than the transaction of a change should write. */
export async function isMuch(
  db: Db,
  ids: readonly number[],
  rows: (some: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<boolean> {
  let count = 0
  // A query may name them three times.
  for (const some of chunks(ids, Math.floor(db.dialect.maxParameters / 3))) {
    count += await countOf(db, rows(sql.join(some)))
  }
  return count > MOST_DELIVERIES
}

/** Whether a query has more rows than the transaction of a change should write. */
export async function haveMany(db: Db, rows: RawBuilder<unknown>): Promise<boolean> {
  return (await countOf(db, rows)) > MOST_DELIVERIES
}

/** The number of rows of a query; of very many only that they are too many. */
async function countOf(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`
    SELECT count(*) AS n FROM (${query} LIMIT ${sql.lit(MOST_DELIVERIES + 1)}) found`.execute(db.sql)
  return Number(rows[0]!.n)
}

/**
 * What follows for a project. If it is kept already, it goes on and then begins anew, because a project that changes all the time would else
 * never come to its last incidents. Called at the end of a change, because another transaction may hold
 * the row until its commit.
 */
export async function keepFollowUp(db: Db, { projectId, kind, subject }: FollowUp): Promise<void> {
  await db.sql
    .insertInto('follow_ups')
    .values({ project_id: projectId, kind, subject, after_id: 0, version: 0 })
    .onConflict(askAgain)
    .execute()
}

/** As {@link keepFollowUp}, for each of these channels. */
export async function keepForChannels(
  db: Db,
  kind: Exclude<FollowUpKind, OfProject>,
  channelIds: readonly number[],
): Promise<void> {
  for (const some of chunks(channelIds, db.dialect.maxParameters)) {
    await db.sql
      .insertInto('follow_ups')
      .columns(['project_id', 'kind', 'subject', 'after_id', 'version'])
      .expression(eb =>
        eb
          .selectFrom('channels')
          .select(['project_id', sql.lit(kind).as('kind'), 'id as subject'])
          .select([sql.lit(0).as('after_id'), sql.lit(0).as('version')])
          .where('id', 'in', some)
          .orderBy('id'),
      )
      .onConflict(askAgain)
      .execute()
  }
}

function askAgain(conflict: OnConflictBuilder<Tables, 'follow_ups'>) {
  return conflict
    .columns(['project_id', 'kind', 'subject'])
    .doUpdateSet({ version: sql<number>`follow_ups.version + 1` })
}

/**
 * Notes after which check or incident a follow-up goes on; null: it was done for the last one, so that it ends, or begins anew if it was asked for since
 * it began. Nothing if another process has done the same slice.
 */
export async function moveFollowUp(
  db: Db,
  { projectId, kind, subject, afterId }: KeptFollowUp,
  after: number | null,
): Promise<void> {
  const ofRow = { project_id: projectId, kind, subject, after_id: afterId }
  if (after === null) {
    await db.sql
      .deleteFrom('follow_ups')
      .where(eb => eb.and({ ...ofRow, version: 0 }))
      .execute()
  }
  await db.sql
    .updateTable('follow_ups')
    .set(after === null ? { after_id: 0, version: 0 } : { after_id: after })
    .where(eb => eb.and(ofRow))
    .execute()
}
