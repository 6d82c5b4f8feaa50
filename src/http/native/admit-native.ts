import { Refusal } from '../../core/errors.js'
import type { Authenticated } from '../../storage/projects/api-keys.js'
import { KEYED_LIMIT, rawBody } from '../api/admit.js'
import { parseJsonBody } from '../api/json-body.js'
import type { ApiKeys } from '../auth.js'
import type { Bindings } from '../deps.js'
import type { NativeCall } from './native-operation.js'

type Needed = 'ro' | 'rw'

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** Authenticates the caller, and reads the body of a POST, PUT or PATCH. With an invalid key nothing is read. */
export async function admitNative(
  keys: ApiKeys,
  needed: Needed,
  incoming: Bindings['incoming'],
  header: (name: string) => string | null,
): Promise<Pick<NativeCall, 'access' | 'body'>> {
  const key = keyIn(header)
  const access = await check(keys, key, needed)
  if (!WITH_BODY.has(incoming.method ?? '')) return { access, body: {} }
  const body = parseJsonBody(await rawBody(incoming, KEYED_LIMIT))
  // The body may have taken long, and the key may have been revoked since.
  return { access: await check(keys, key, needed), body }
}

async function check(keys: ApiKeys, key: string | null, needed: Needed): Promise<Authenticated> {
  const access = await keys.check(key, 'ro')
  if (needed === 'rw' && access.kind !== 'rw') throw new Refusal('unauthorized', 'the api key is read-only')
  return access
}

/** If `X-Api-Key` is present, only it counts. */
function keyIn(header: (name: string) => string | null): string | null {
  const own = header('X-Api-Key')
  return own ?? /^Bearer (\S+)$/i.exec(header('Authorization') ?? '')?.[1] ?? null
}
