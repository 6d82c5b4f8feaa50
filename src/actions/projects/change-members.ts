/** Changes of who is in a project, by one of them or by a token of the project (`by`: null). */
import { Refusal } from '../../core/errors.js'
import type { Role } from '../../core/people/role.js'
import type { Changes } from '../../lib/changes.js'
import type { Clock } from '../../lib/clock.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'
import { memberRole } from './invite-member.js'

interface Asked {
  projectId: number
  /** The UUID of the member. */
  member: string
  /** The UUID of the person who asks for it. */
  by: string | null
  author: KnownAuthor
}

/** Changes a member's role. Throws a `Refusal` for one's own role, an unknown role, and who is not a member. */
export async function changeMemberRole(
  { store, clock, changes }: { store: StoreWith<'projects.setMemberRole'>; clock: Clock; changes: Changes },
  { projectId, member, by, author, role: text }: Asked & { role: string },
): Promise<ReturnType<typeof memberRole>> {
  if (member === by) throw new Refusal('invalid', 'you cannot change your own role', 'role')
  const role = memberRole(text)
  await store.projects.setMemberRole(projectId, member, role, clock.now(), author)
  changes.emit('access', {})
  return role
}

interface Removing {
  store: StoreWith<'projects.removeMember'>
  clock: Clock
  changes: Changes
}

/** Removes a member. Throws a `Refusal` for oneself, and who is not a member. */
export async function removeMember(
  { store, clock, changes }: Removing,
  { projectId, member, by, author }: Asked,
): Promise<void> {
  if (member === by) throw new Refusal('invalid', 'to remove yourself, leave the project')
  await store.projects.removeMember(projectId, member, clock.now(), { author, leaves: false })
  changes.emit('access', {})
}

/** Leaves a project. Throws a `Refusal` for its owner. */
export async function leaveProject(
  { store, clock, changes }: Removing,
  { projectId, role, member, author }: Omit<Asked, 'by'> & { role: Role },
): Promise<void> {
  if (role === 'owner') {
    throw new Refusal('conflict', 'the owner cannot leave: transfer the project first, or delete it')
  }
  await store.projects.removeMember(projectId, member, clock.now(), { author, leaves: true })
  changes.emit('access', {})
}

/** Makes the person who was offered a project its owner. Throws a `Refusal` as `projects.acceptTransfer` does. */
export async function acceptProject(
  { store, clock, changes }: { store: StoreWith<'projects.acceptTransfer'>; clock: Clock; changes: Changes },
  { projectId, userId }: { projectId: number; userId: number },
): Promise<void> {
  await store.projects.acceptTransfer(projectId, userId, clock.now())
  changes.emit('access', {})
}
