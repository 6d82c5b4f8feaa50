import { Refusal } from '../../core/errors.js'
import type { Authenticated } from '../../storage/projects/api-keys.js'
import type { ApiKeys } from '../auth.js'
import { readBody } from '../body.js'
import type { Bindings } from '../deps.js'
import { parseJsonBody } from './json-body.js'
import type { Call, Operation } from './operation.js'

/** The maximum body of a request with a valid key in its header, in bytes. Source: docs/behaviour.md, section 11. */
export const KEYED_LIMIT = 2_621_440

/** The maximum body that is read to look for a key in it, which anyone can send. */
const UNKEYED_LIMIT = 65_536

const NO_BYTES = new Uint8Array()
const NOBODY: Authenticated = { projectId: 0, kind: 'ro', hint: '' }

/**
 * Authenticates the caller, and reads the body of a POST. If the header has a key (`sent`), even an empty one, it is
 * checked before anything is read; otherwise the body's `api_key` is. Source: docs/behaviour.md, section 4.2; decision
 * 0106.
 */
export async function admit(
  keys: ApiKeys,
  operation: Operation,
  incoming: Bindings['incoming'],
  sent: string | null,
): Promise<Pick<Call, 'access' | 'body' | 'raw'>> {
  const { key: needed, bodyLimit = 0, bodyKept = null } = operation
  const hasBody = incoming.method === 'POST'
  if (needed === 'none') {
    const raw = hasBody ? await rawBody(incoming, bodyLimit, bodyKept) : NO_BYTES
    return { access: NOBODY, body: {}, raw }
  }
  const known = sent === null ? null : await keys.check(sent, needed)
  const raw = hasBody ? await rawBody(incoming, known ? KEYED_LIMIT : UNKEYED_LIMIT) : NO_BYTES
  const body = parseJsonBody(raw)
  // The body may have taken long, and the key may have been revoked since. Keys are cached for a second.
  return { access: await keys.check(known ? sent : keyIn(body), needed), body, raw }
}

function keyIn(body: Call['body']): string | null {
  return body.api_key === undefined ? null : String(body.api_key)
}

/** The bytes of a body of at most `limit` bytes. */
export async function rawBody(
  incoming: Bindings['incoming'],
  limit: number,
  kept: number | null = null,
): Promise<Uint8Array> {
  const body = await readBody(incoming, kept, limit)
  if (body !== 'too-large') return body ?? NO_BYTES
  const hint = limit === UNKEYED_LIMIT ? ': send the key in the header X-Api-Key' : ''
  throw new Refusal('invalid', `the request body is larger than ${limit} bytes${hint}`)
}
