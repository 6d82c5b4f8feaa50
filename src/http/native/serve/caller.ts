/** Who calls Punctual's own API, and what they may do in a project; access.ts decides it. */
import type { Role } from '../../../core/people/role.js'
import type { ScopeName } from '../../../core/people/scopes.js'
import type { Actor } from '../../../lib/actor.js'
import type { Authenticated } from '../../../storage/projects/api-keys.js'

/** Who calls. */
export interface Caller {
  actor: Actor
  /** As incidents, silences and the like show who did something. */
  author: string
  /** The person, for a token of a person; null for a token or key of a project. */
  personId: number | null
  /** The ID of the account behind a token, as the author of what it makes; null if there is none. */
  authorId: number | null
  /** The project of a token or key of a project; null for a token of a person. */
  project: { id: number; role: Role } | null
  /** What a token may do; null for an API key, which may do what operations name its kind for. */
  scopes: readonly ScopeName[] | null
  /** The kind of an API key; null for a token. */
  key: 'ro' | 'rw' | null
}

/** What a caller may do in one project. `kind`: `ro` sees unique keys in place of UUIDs, and no addresses. */
export interface Access extends Omit<Authenticated, 'hint'> {
  role: Role
  /** What it may do, for operations that consist of others; API keys: null. */
  scopes: readonly ScopeName[] | null
  actor: Actor
  author: string
  personId: number | null
  authorId: number | null
}
