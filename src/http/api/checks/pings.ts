import { z } from 'zod'
import type { Operation } from '../operation.js'
import { oneCheck, writeKey } from '../refusals.js'
import { pingSchema } from '../schemas.js'
import { pingBody } from './ping-body.js'
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
    return await pingBody(deps, access.projectId, params.uuid!, Number(params.n))
  },
}
