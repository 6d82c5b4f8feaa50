import { resumeCheck as resume } from '../../actions/resume-check.js'
import type { Operation } from './operation.js'
import { readWriteCheckSchema } from './schemas.js'
import { writtenAnswer } from './show.js'

export const resumeCheck: Operation = {
  id: 'resumeCheck',
  summary: 'Resume a check',
  description: 'Only a paused check can be resumed; it is new again.',
  key: 'rw',
  responses: { 200: { description: 'The resumed check.', schema: readWriteCheckSchema } },
  errors: [401, 403, 404, 409],
  async handle(call) {
    const { access, params, now } = call
    return writtenAnswer(call, await resume(call.deps, access.projectId, params.uuid!, now))
  },
}
