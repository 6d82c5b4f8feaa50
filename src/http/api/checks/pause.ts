import type { Operation } from '../operation.js'
import { malformedBody, oneCheck, writeKey } from '../refusals.js'
import { readWriteCheckSchema } from '../schemas.js'
import { writtenAnswer } from './show.js'

export const pauseCheck: Operation = {
  id: 'pauseCheck',
  summary: 'Pause a check',
  description: 'Nothing is expected of it until a ping or a resume.',
  key: 'rw',
  responses: { 200: { description: 'The paused check.', schema: readWriteCheckSchema } },
  errors: { ...malformedBody, ...writeKey, ...oneCheck },
  async handle(call) {
    const { deps, access, params, now } = call
    return writtenAnswer(call, await deps.store.checks.pause(access.projectId, params.uuid!, now))
  },
}
