import { inTurns } from '../../../lib/in-turns.js'
import { rawBody } from '../../api/admit.js'
import { parseJsonBody } from '../../api/json-body.js'
import { parseLargeJson } from '../../api/large-json-body.js'
import { LARGEST_BODY } from '../../body.js'
import type { AppDeps, Bindings } from '../../deps.js'
import type { AnyNativeOperation } from '../native-operation.js'
import { accessOf, allowCaller, allowRole, otherProject } from './access.js'
import type { Access, Caller } from './caller.js'
import { LARGE_BODY, type LargeBodies } from './large-bodies.js'
import { refuseUnknown } from './parameters.js'

export interface Asked {
  deps: Pick<AppDeps, 'store'>
  method: string
  operation: AnyNativeOperation
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  caller: Caller
  /** Authenticates again. */
  find(): Promise<Caller>
  incoming: Bindings['incoming']
  /** Whether somebody waits for the answer still. */
  isWanted(): boolean
  /** The turns of requests with large bodies. */
  large: LargeBodies
  /** The body, if it was read before. */
  read: Uint8Array | undefined
  /** The UUIDs of other projects that the request turned out to be about, see `otherProject`. */
  others: ReadonlySet<string>
}

export interface Admitted {
  caller: Caller
  /** Null for an operation that is not about one project. */
  access: Access | null
  body: Readonly<Record<string, unknown>>
}

/** The methods whose requests have a body. */
export const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Decides whether the caller may use the operation, reads the body, and then carries the request out. A large body is parsed when its
 * turn comes, which lasts until the request is carried out. Throws a `Refusal`.
 */
export async function admit<R>(asked: Asked, carryOut: (admitted: Admitted) => Promise<R>): Promise<R> {
  const { method, operation, query, caller, incoming, read, large, isWanted } = asked
  const { bodyLevels } = operation
  refuseUnknown(query, method, operation)
  const access = await allowed(asked, caller)
  if (!METHODS_WITH_BODY.has(method)) return await carryOut({ caller, access, body: {} })
  const bytes = read ?? (await rawBody(incoming, LARGEST_BODY))
  const carryOutWith = async (body: Admitted['body']) => {
    // The body may have taken long, and the token may have been revoked since.
    const still = await asked.find()
    return await carryOut({ caller: still, access: await allowed(asked, still), body })
  }
  if (bodyLevels === undefined || access === null || bytes.length <= LARGE_BODY)
    return await carryOutWith(parseJsonBody(bytes))
  const { projectId } = access
  return await large.run(projectId, isWanted, async () => {
    return await carryOutWith(await inTurns(parseLargeJson(bytes, bodyLevels)))
  })
}

/**
 * What the caller may do in the project now. Throws a `Refusal` if they may not use the operation any more: the token may have been
 * revoked, the person may have another role or have left the project. Null for an operation that is not about one project.
 */
export async function accessNow(asked: Asked): Promise<Access | null> {
  return await allowed(asked, await asked.find())
}

async function allowed(
  { deps, operation, params, query, others }: Asked,
  caller: Caller,
): Promise<Access | null> {
  allowCaller(caller, operation)
  if (operation.concerns === 'caller') return null
  const named = operation.inPath ? params.uuid! : query.get('project')
  const access = await accessOf(deps.store, caller, named)
  allowRole(access, operation)
  for (const uuid of others) await otherProject(deps.store, access, uuid, operation)
  return access
}
