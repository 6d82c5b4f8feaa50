/** Who calls, and what they may do. This is the only place that decides it. */
import { Refusal } from '../../../core/errors.js'
import { may, type Need } from '../../../core/people/role.js'
import { mayChange, SCOPES } from '../../../core/people/scopes.js'
import { isUuid } from '../../../core/text/uuid.js'
import type { Authenticated } from '../../../storage/projects/api-keys.js'
import type { KnownToken } from '../../../storage/projects/api-tokens.js'
import type { StoreWith } from '../../../storage/store.js'
import type { AnyNativeOperation } from '../native-operation.js'
import { FieldRefusal, ScopeRefusal } from '../problem.js'
import type { Access, Caller } from './caller.js'

/** The caller with this token. */
export function callerOf(token: KnownToken, address: string): Caller {
  const { person, project, name } = token
  const label = person ? `${person.email} (${name})` : `API token ${name}`
  return {
    actor: { kind: 'token', id: token.uuid, name: label, address },
    author: person ? person.email : label,
    personId: person?.id ?? null,
    authorId: person?.id ?? token.authorId,
    project,
    scopes: token.scopes,
    key: null,
  }
}

/** The caller with this API key. Keys have no names. */
export function callerWithKey({ projectId, kind, hint }: Authenticated, address: string): Caller {
  return {
    actor: { kind: 'key', id: hint, name: 'API key', address },
    author: 'API key',
    personId: null,
    authorId: null,
    project: { id: projectId, role: kind === 'rw' ? 'member' : 'readonly' },
    scopes: null,
    key: kind,
  }
}

type Projects = StoreWith<'people.projectAccess' | 'projects.find'>

/**
 * What a caller may do in the project that is asked for (`named`: its UUID in the request; null if absent). Throws a
 * `Refusal`: `not-found` if the project is not theirs, a `FieldRefusal` if it has to be named.
 */
export async function accessOf(store: Projects, caller: Caller, named: string | null): Promise<Access> {
  const { scopes, key, actor, author, personId, authorId } = caller
  const project = await projectOf(store, caller, named)
  const { id: projectId, role } = project
  const writes = key === 'rw' || (scopes !== null && mayChange(scopes) && may(role, 'write'))
  return { projectId, role, kind: writes ? 'rw' : 'ro', scopes, actor, author, personId, authorId }
}

async function projectOf(store: Projects, { personId, project }: Caller, named: string | null) {
  const missing = new Refusal('not-found', 'project not found')
  if (named !== null && !isUuid(named)) throw missing
  if (personId !== null) {
    if (named === null) {
      const detail = 'a token of a person needs the UUID of the project'
      throw new FieldRefusal([{ detail, parameter: 'project' }])
    }
    const access = await store.people.projectAccess(personId, named)
    if (!access) throw missing
    return access
  }
  if (named !== null && (await store.projects.find(named))?.id !== project!.id) throw missing
  return project!
}

/** Throws a `Refusal` if this kind of key, or a token with these scopes, may not use the operation. */
export function allowCaller({ key, scopes }: Caller, operation: AnyNativeOperation): void {
  const { scope, key: allowed, alsoNeeds = [] } = operation
  if (key !== null) {
    if (allowed === undefined) throw new ScopeRefusal('an API key may not do this: use a token', scope)
    if (allowed === 'rw' && key === 'ro') throw new ScopeRefusal('the API key is read-only', scope)
    return
  }
  const missing = [scope, ...alsoNeeds].find(needed => needed !== null && !scopes!.includes(needed)) ?? null
  if (missing !== null) throw new ScopeRefusal(`the token lacks the scope ${missing}`, missing)
}

/** Throws a `Refusal` if the caller's role does not allow the operation. */
export function allowRole({ role, scopes }: Access, operation: AnyNativeOperation): void {
  if (scopes === null) return
  if (!may(role, neededRole(operation))) {
    throw new ScopeRefusal('the role in the project does not allow this', operation.scope)
  }
}

/** The ID of another project that a request names. Throws a `Refusal` if the caller may not use the operation there. */
export async function otherProject(
  store: StoreWith<'people.projectAccess'>,
  { personId }: Access,
  uuid: string,
  operation: AnyNativeOperation,
): Promise<number> {
  const other = personId === null ? null : await store.people.projectAccess(personId, uuid)
  if (!other) throw new Refusal('not-found', 'project not found')
  if (!may(other.role, neededRole(operation))) {
    throw new ScopeRefusal('the role in the other project does not allow this', operation.scope)
  }
  return other.id
}

/** The role that an operation takes. */
export function neededRole({ role, scope }: Pick<AnyNativeOperation, 'role' | 'scope'>): Need {
  return role ?? (scope === null ? 'read' : SCOPES[scope].need)
}
