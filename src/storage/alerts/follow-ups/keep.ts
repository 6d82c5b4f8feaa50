/** What follows from a change and is too much for its transaction is kept, and done in slices. Decision 0155. */
import { type OnConflictBuilder, sql } from 'kysely'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import type { Tables } from '../../tables.js'
import type { FollowUp, FollowUpKind } from './follow-up.js'

/**
 * What follows for a project; it begins anew if it is kept already. Called at the end of a change, because another transaction may hold
 * the row until its commit.
 */
export async function keepFollowUp(db: Db, { projectId, kind, subject }: FollowUp): Promise<void> {
  await db.sql
    .insertInto('follow_ups')
    .values({ project_id: projectId, kind, subject, after_id: 0, version: 0 })
    .onConflict(beginAnew)
    .execute()
}

/** As {@link keepFollowUp}, for each of these channels. */
export async function keepForChannels(
  db: Db,
  kind: Exclude<FollowUpKind, 'policies'>,
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
      .onConflict(beginAnew)
      .execute()
  }
}

function beginAnew(conflict: OnConflictBuilder<Tables, 'follow_ups'>) {
  return conflict
    .columns(['project_id', 'kind', 'subject'])
    .doUpdateSet({ after_id: 0, version: sql<number>`follow_ups.version + 1` })
}
