import { MANAGING_SCOPES } from '../../core/people/scopes.js'
import type { Db } from '../db.js'
import { REVOKED_TOKEN, recordRevokedTokens } from './api-tokens.js'
import { ENDED_INVITATION, recordEndedInvitations } from './record-members.js'

/**
 * Ends what lets others into projects in a person's name: their open invitations, and the tokens that they made with
 * which members are managed. Other tokens of projects that they made go on, but manage nothing any more. `projectId`:
 * null for all projects. Source: decision 0138.
 */
export async function endGrants(
  db: Db,
  { userId, projectId }: { userId: number; projectId: number | null },
  now: number,
): Promise<void> {
  const tokens = await db.sql
    .deleteFrom('api_tokens')
    .where('author_id', '=', userId)
    .where('project_id', projectId === null ? 'is not' : '=', projectId)
    .where(eb => eb.or(MANAGING_SCOPES.map(scope => eb('scopes', 'like', `%${scope}%`))))
    .returning(REVOKED_TOKEN)
    .execute()
  await recordRevokedTokens(db, tokens, now)
  await db.sql
    .updateTable('api_tokens')
    .set({ role: 'member' })
    .where('author_id', '=', userId)
    .where('project_id', projectId === null ? 'is not' : '=', projectId)
    .where('role', '=', 'manager')
    .execute()
  const invitations = await db.sql
    .deleteFrom('invitations')
    .where('inviter_id', '=', userId)
    .$if(projectId !== null, query => query.where('project_id', '=', projectId!))
    .returning(ENDED_INVITATION)
    .execute()
  await recordEndedInvitations(db, invitations, now)
}
