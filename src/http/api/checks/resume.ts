import type { Operation } from '../operation.js'
import { malformedBody, oneCheck, writeKey } from '../refusals.js'
import { readWriteCheckSchema } from '../schemas.js'
import { writtenAnswer } from './show.js'

export const resumeCheck: Operation = {
  id: 'resumeCheck',
  summary: 'Resume a check',
  description: 'Only a paused check can be resumed; it is new again.',
  key: 'rw',
  responses: { 200: { description: 'The resumed check.', schema: readWriteCheckSchema } },
  errors: { ...malformedBody, ...writeKey, ...oneCheck, 409: 'The check is not paused.' },
  async handle(call) {
    const { deps, access, params, now } = call
    return writtenAnswer(call, await deps.store.checks.resume(access.projectId, params.uuid!, now))
  },
}
