/** Projects, their keys, tokens, members and invitations in Punctual's own API. */
import type { MemberRole, Role } from '../people/role.js'
import type { Protocol } from '../projects/protocols.js'
import { isoSeconds } from './timestamp.js'

/** An instant, or null. */
const instant = (ms: number | null) => (ms === null ? null : isoSeconds(ms))

export function projectEntryShape({ uuid, name, role }: { uuid: string; name: string; role: Role }) {
  return { uuid, name, role }
}

export function projectShape(project: {
  uuid: string
  name: string
  role: Role
  flips: string
  protocols: readonly Protocol[]
}) {
  return { ...projectEntryShape(project), flips: project.flips, protocols: project.protocols }
}

/** `key`: the ping key, for readers who may use it. */
export function keyShape(key: { kind: string; hint: string; createdAt: number | null; key: string | null }) {
  return { kind: key.kind, hint: key.hint, created_at: instant(key.createdAt), key: key.key }
}

export function tokenShape(token: {
  uuid: string
  name: string
  hint: string
  scopes: readonly string[]
  author: string | null
  createdAt: number
  expiresAt: number | null
  usedAt: number | null
}) {
  const { uuid, name, scopes, hint, author } = token
  return {
    uuid,
    name,
    scopes,
    expires_at: instant(token.expiresAt),
    hint,
    author,
    created_at: isoSeconds(token.createdAt),
    used_at: instant(token.usedAt),
  }
}

/** A token that was just made, with its secret. */
export function createdTokenShape(token: {
  uuid: string
  name: string
  scopes: readonly string[]
  expiresAt: number | null
  token: string
}) {
  const { uuid, name, scopes } = token
  return { uuid, name, scopes, expires_at: instant(token.expiresAt), token: token.token }
}

export function memberShape(member: {
  uuid: string
  email: string
  role: Role
  transferRequestedAt: number | null
}) {
  const { uuid, email, role } = member
  return { uuid, email, role, offered_at: instant(member.transferRequestedAt) }
}

export function invitationShape(invitation: {
  uuid: string
  role: MemberRole
  email: string | null
  inviter: string | null
  createdAt: number
  expiresAt: number
}) {
  const { uuid, role, email, inviter, createdAt, expiresAt } = invitation
  return {
    uuid,
    role,
    email,
    inviter,
    created_at: isoSeconds(createdAt),
    expires_at: isoSeconds(expiresAt),
  }
}
