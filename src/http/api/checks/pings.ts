import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import type { Operation } from '../operation.js'
import { oneCheck, writeKey } from '../refusals.js'
import { pingSchema } from '../schemas.js'
import { viewerOf } from './show.js'

export const listPings: Operation = {
  id: 'listPings',
  summary: 'List the logged pings of a check',
  description: 'Newest first, at most 1,000.',
  key: 'rw',
  responses: { 200: { description: 'The pings.', schema: () => z.object({ pings: z.array(pingSchema()) }) } },
  errors: { ...writeKey, ...oneCheck },
  async handle(call) {
    return { status: 200, body: await call.deps.store.pings.showList(viewerOf(call), call.params.uuid!) }
  },
}

export const getPingBody: Operation = {
  id: 'getPingBody',
  summary: 'Get the body of a logged ping',
  key: 'rw',
  responses: { 200: { description: 'The body as it was sent.', type: 'text/plain' } },
  errors: {
    ...writeKey,
    ...oneCheck,
    404: 'There is no such check or ping, or the ping has no body.',
    503: 'The storage of bodies does not answer; try again later.',
  },
  async handle(call) {
    const { deps, access, params } = call
    const uuid = params.uuid!
    const n = Number(params.n)
    const found = await deps.store.pings.body(access.projectId, uuid, n)
    if ('bytes' in found) return { status: 200, body: found.bytes, type: 'text/plain' }
    if (!deps.bodies) throw new Refusal('unavailable', 'the store of ping bodies is not configured')
    const bytes = await deps.bodies.read(uuid, n)
    if (!bytes) throw new Refusal('not-found', 'the body is not stored yet')
    return { status: 200, body: bytes, type: 'text/plain' }
  },
}
