import { Refusal } from '../../../core/errors.js'
import type { AppDeps } from '../../deps.js'
import type { Answer } from '../operation.js'

/** The answer with the body of a ping as it was sent. Throws a `Refusal` if there is none, or if it cannot be read. */
export async function pingBody(
  { store, bodies }: Pick<AppDeps, 'store' | 'bodies'>,
  projectId: number,
  uuid: string,
  n: number,
): Promise<Answer> {
  const found = await store.pings.body(projectId, uuid, n)
  if ('bytes' in found) return { status: 200, body: found.bytes, type: 'text/plain' }
  if (!bodies) throw new Refusal('unavailable', 'the store of ping bodies is not configured')
  const bytes = await bodies.read(uuid, n)
  if (!bytes) throw new Refusal('not-found', 'the body is not stored yet')
  return { status: 200, body: bytes, type: 'text/plain' }
}
