import { Refusal } from '../../core/errors.js'
import type { Authenticated } from '../../storage/projects/api-keys.js'
import type { ApiKeys } from '../auth.js'
import { announcesAtMost, LARGEST_BODY, READ_AT_ONCE, readBody } from '../body.js'
import type { AppDeps, Bindings } from '../deps.js'
import { parseJsonBody } from './json-body.js'
import type { Call, Operation } from './operation.js'

/** The maximum body that is read to look for a key in it, which anyone can send. */
const UNKEYED_LIMIT = 65_536

const NO_BYTES = new Uint8Array()
const NOBODY: Authenticated = { projectId: 0, kind: 'ro', hint: '' }

/** `look`: authenticates again, as a new request would be; absent if nobody is authenticated. */
type Admitted = Pick<Call, 'access' | 'body' | 'raw'> & { look?: () => Promise<Authenticated> }

/**
 * Authenticates the caller, and reads the body of a POST. If the header has a key (`sent`), even an empty one, it is
 * checked before anything is read; otherwise the body's `api_key` is. Source: docs/behaviour.md, section 4.2; decision
 * 0106.
 */
export async function admit(
  { keys, anonymous }: { keys: ApiKeys; anonymous: AppDeps['anonymous'] },
  operation: Operation,
  incoming: Bindings['incoming'],
  sent: string | null,
): Promise<Admitted> {
  const { key: needed, bodyLimit = 0, bodyKept = null } = operation
  const hasBody = incoming.method === 'POST'
  if (needed === 'none') {
    if (hasBody) await anonymous.turn(incoming)
    const raw = hasBody ? await rawBody(incoming, bodyLimit, bodyKept) : NO_BYTES
    return { access: NOBODY, body: {}, raw }
  }
  const known = sent === null ? null : await keys.check(sent, needed)
  if (hasBody && !known && !announcesAtMost(incoming, READ_AT_ONCE)) await anonymous.turn(incoming)
  try {
    const raw = hasBody ? await rawBody(incoming, known ? LARGEST_BODY : UNKEYED_LIMIT) : NO_BYTES
    const body = parseJsonBody(raw)
    // The body may have taken long, and the key may have been revoked since. Keys are cached for a second.
    const look = () => keys.check(known ? sent : keyIn(body), needed)
    const access = known && !hasBody ? known : await look()
    anonymous.forgive(incoming)
    return { access, body, raw, look }
  } catch (error) {
    // A wrong key is recorded before its sender waits.
    const isWrongKey = error instanceof Refusal && error.code === 'unauthorized'
    throw known || isWrongKey ? error : await anonymous.refusalInTurn(incoming, error)
  }
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
