/** The data of the page of a project's settings. */
import type { Webhook } from '../../../../core/events/webhook.js'
import type { Role } from '../../../../core/people/role.js'
import type { Protocol } from '../../../../core/projects/protocols.js'
import type { ShownToken } from '../../../components/api-tokens.js'
import type { Problem } from '../../../components/forms/form-problem.js'
import type { PageContext } from '../../../page-context.js'

export interface ProjectSettings {
  page: PageContext
  project: { uuid: string; name: string; role: Role; checks: number }
  /** API keys, by their first characters; empty for users who may not use them. */
  keys: readonly { kind: 'rw' | 'ro'; hint: string; createdAt: number }[]
  /** The project's API tokens; empty for users who may not use them. */
  tokens: readonly ShownToken[]
  /** The project's event webhooks; empty for users who may not see them. */
  webhooks: readonly Webhook[]
  pingKey: string | null
  members: readonly Person[]
  invitations: readonly OpenInvitation[]
  /** The addresses of people with whom the owner shares other projects. */
  invitable: readonly string[]
  /** The UUID of the reader. */
  reader: string
  /** How version 3 of the API lists flips, and the installation's default. */
  flips: { shape: string; wrapByDefault: boolean }
  /** The protocols of other monitors that the project accepts. */
  protocols: readonly Protocol[]
  /** SITE_ROOT. */
  siteRoot: string
  sendsMail: boolean
  /** The new key or link, which is shown once. */
  shown: {
    what: 'rw' | 'ro' | 'ping' | 'token' | 'invitation' | 'webhook'
    text: string
    sentTo: string | null
  } | null
  /** The form that was refused, with the typed values. */
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
  /** Who sent the invitation; null if unknown. */
  inviter: string | null
}

export interface RefusedForm {
  form: 'name' | 'flips' | 'protocols' | 'invitation' | 'deletion'
  typed: Readonly<Record<string, string>>
  problem: Problem
}
