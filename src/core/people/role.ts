/** What a person may do in a project. Source: docs/behaviour.md, section 9.1. */

/** What a member may be, the most powerful first; the words are stored. */
export const MEMBER_ROLES = ['manager', 'member', 'readonly'] as const

export type MemberRole = (typeof MEMBER_ROLES)[number]

/** A person's part in a project. */
export type Role = 'owner' | MemberRole

/** What a request wants: see, change, decide who belongs, or decide over the project itself. */
export type Need = 'read' | 'write' | 'manage' | 'own'

const RIGHTS: Record<Role, readonly Need[]> = {
  owner: ['read', 'write', 'manage', 'own'],
  manager: ['read', 'write', 'manage'],
  member: ['read', 'write'],
  readonly: ['read'],
}

/** Whether `role` is enough for `need`. */
export function may(role: Role, need: Need): boolean {
  return RIGHTS[role].includes(need)
}

/** What people call a role. */
export const ROLE_NAMES: Record<Role, string> = {
  owner: 'Owner',
  manager: 'Manager',
  member: 'Member',
  readonly: 'Read-only',
}
