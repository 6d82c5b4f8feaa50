/** Roles in a project. Source: docs/behaviour.md, section 9.1. */

/** The roles of members, the most powerful first; the words are stored. */
export const MEMBER_ROLES = ['manager', 'member', 'readonly'] as const

export type MemberRole = (typeof MEMBER_ROLES)[number]

/** A person's role in a project. */
export type Role = 'owner' | MemberRole

/** What a request needs: to see, to change, to manage members, or to own the project. */
export type Need = 'read' | 'write' | 'manage' | 'own'

const RIGHTS: Record<Role, readonly Need[]> = {
  owner: ['read', 'write', 'manage', 'own'],
  manager: ['read', 'write', 'manage'],
  member: ['read', 'write'],
  readonly: ['read'],
}

/** Whether `role` allows `need`. */
export function may(role: Role, need: Need): boolean {
  return RIGHTS[role].includes(need)
}

/**
 * The role with which a token of a project acts, of which `maker` is the role of the person who made it: it manages only
 * while they may. Null: they have no access any more. Source: decision 0138.
 */
export function tokenRole(role: MemberRole, maker: Role | null): MemberRole {
  return may(role, 'manage') && (maker === null || !may(maker, 'manage')) ? 'member' : role
}

/** The labels of roles. */
export const ROLE_NAMES: Record<Role, string> = {
  owner: 'Owner',
  manager: 'Manager',
  member: 'Member',
  readonly: 'Read-only',
}
