/** What follows from a change and is too much for its transaction is kept, and done in slices. Decision 0155. */
import { sql } from 'kysely'
import type { Db } from '../../db.js'
import type { FollowUp } from './follow-up.js'

/**
 * Keeps what follows; it begins anew if it is kept already. Called at the end of a change, because another transaction may hold the
 * row until its commit.
 */
export async function keepFollowUp(db: Db, { projectId, kind, subject }: FollowUp): Promise<void> {
  await db.sql
    .insertInto('follow_ups')
    .values({ project_id: projectId, kind, subject, after_id: 0, version: 0 })
    .onConflict(conflict =>
      conflict
        .columns(['project_id', 'kind', 'subject'])
        .doUpdateSet({ after_id: 0, version: sql<number>`follow_ups.version + 1` }),
    )
    .execute()
}
