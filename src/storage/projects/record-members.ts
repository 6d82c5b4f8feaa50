/** The events of members, invitations and keys of projects. */
import type { Db } from '../db.js'
import { recordEvent, recordEvents } from '../events/record-events.js'

/** Records that a person became a member, has another role, or is none any more (`after`: null). */
export async function recordMember(
  db: Db,
  { projectId, userId }: { projectId: number; userId: number },
  before: string | null,
  after: string | null,
  now: number,
): Promise<void> {
  if (before === after) return
  const user = await db.sql
    .selectFrom('users')
    .select(['uuid', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const type = before === null ? 'member.added' : after === null ? 'member.removed' : 'member.updated'
  await recordEvent(
    db,
    {
      projectId,
      type,
      object: { id: user.uuid, name: user.email },
      before: before === null ? null : { role: before },
      after: after === null ? null : { role: after },
    },
    now,
  )
}

/** An invitation as it is deleted. */
export interface EndedInvitation {
  uuid: string
  email: string | null
  role: string
  project_id: number
}

/** What to return of deleted invitations. */
export const ENDED_INVITATION = ['uuid', 'email', 'role', 'project_id'] as const

/** Records that invitations ended. */
export async function recordEndedInvitations(
  db: Db,
  ended: readonly EndedInvitation[],
  now: number,
): Promise<void> {
  const events = ended.map(({ uuid: id, email, role, project_id: projectId }) => ({
    projectId,
    type: 'invitation.ended' as const,
    object: { id, name: email ?? '' },
    before: { email, role },
  }))
  await recordEvents(db, events, now)
}

/** Records a change of the project itself. */
export async function recordProject(
  db: Db,
  projectId: number,
  { before, after }: { before: Record<string, unknown>; after: Record<string, unknown> },
  now: number,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const project = await db.sql
    .selectFrom('projects')
    .select(['uuid', 'name'])
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (!project) return
  const object = { id: project.uuid, name: project.name }
  await recordEvent(db, { projectId, type: 'project.updated', object, before, after }, now)
}
