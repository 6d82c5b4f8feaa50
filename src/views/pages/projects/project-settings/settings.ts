/** What the page of a project's settings shows. */
import type { Role } from '../../../../core/people/role.js'
import type { Problem } from '../../../components/forms/form-problem.js'
import type { PageContext } from '../../../page-context.js'

export interface ProjectSettings {
  page: PageContext
  project: { uuid: string; name: string; role: Role; checks: number }
  /** API keys, by their first characters; empty for those who may not use them. */
  keys: readonly { kind: 'rw' | 'ro'; hint: string; createdAt: number }[]
  pingKey: string | null
  members: readonly Person[]
  invitations: readonly OpenInvitation[]
  /** Addresses of people whom the owner shares other projects with. */
  invitable: readonly string[]
  /** The UUID of the one who reads. */
  reader: string
  /** How version 3 of the API lists flips, and what the installation does where the project does not say. */
  flips: { shape: string; wrapByDefault: boolean }
  sendsMail: boolean
  /** What was made just now and is shown this once. */
  shown: { what: 'rw' | 'ro' | 'ping' | 'invitation'; text: string; sentTo: string | null } | null
  /** The form that was refused, with what was typed. */
  refused: RefusedForm | null
}

export interface Person {
  uuid: string
  email: string
  role: Role
  transferRequestedAt: number | null
}

export interface OpenInvitation {
  uuid: string
  role: Role
  email: string | null
  expiresAt: number
  /** Who invited; null where that is not known. */
  inviter: string | null
}

export interface RefusedForm {
  form: 'name' | 'flips' | 'invitation' | 'deletion'
  typed: Readonly<Record<string, string>>
  problem: Problem
}
