import { Refusal } from '../../../core/errors.js'
import type { OwnToken } from '../../../storage/people/lock-account.js'
import type { KnownAuthor } from '../../../storage/projects/lock-author.js'
import { ScopeRefusal } from '../problem.js'
import type { Access, Caller } from './caller.js'

/** The ID of the person of the token. Throws a `Refusal` for a token of a project: nobody acts in a person's name. */
export function personOf({ personId }: Pick<Access | Caller, 'personId'>): number {
  if (personId === null) throw new ScopeRefusal('this takes a token of a person', null)
  return personId
}

/** The token of a person, for what only a person can do. Throws as `personOf` does. */
export function ownToken(access: Pick<Access, 'personId' | 'actor'>): OwnToken {
  return { userId: personOf(access), apiToken: access.actor.id! }
}

/** Who writes what outlives the request; the write checks that the token still may. Throws a `Refusal` for an API key. */
export function authorOf(access: Access): KnownAuthor {
  const { scopes, personId, authorId, actor } = access
  if (scopes === null) throw new Refusal('unauthorized', 'an API key may not do this: use a token')
  return personId === null ? { userId: authorId, projectToken: actor.id! } : ownToken(access)
}

/** The same for what others are mailed of. Throws a `Refusal` for a token that the operator made. */
export function inviterOf(access: Access): KnownAuthor & { userId: number } {
  const by = authorOf(access)
  const { userId } = by
  if (userId === null) throw new ScopeRefusal('this takes a token that a person made', null)
  return { ...by, userId }
}
