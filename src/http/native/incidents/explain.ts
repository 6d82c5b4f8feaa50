import { explainCheck as explain } from '../../../actions/incidents/explain-check.js'
import { explanationShape } from '../../../core/wire/explanation.js'
import { toJson } from '../../../core/wire/json.js'
import { refOf } from '../checks/check.js'
import type { NativeOperation } from '../native-operation.js'
import { oneCheck } from '../request.js'
import { explanationAnswer } from './schemas.js'

export const explainCheck: NativeOperation = {
  id: 'explainCheck',
  summary: 'Explain why an alert was or was not sent',
  description:
    'For each channel of a check: what it was sent about the incident, and what waits, is held or was dropped, and why.',
  scope: 'checks:read',
  key: 'ro',
  responses: { 200: { description: 'The explanation.', schema: explanationAnswer } },
  errors: { ...oneCheck },
  async handle(call) {
    const { deps, access, now } = call
    const asked = { projectId: access.projectId, ref: refOf(call), now }
    const body = await explain(deps, asked, explanation => toJson(explanationShape(explanation, access.kind)))
    return { status: 200, body }
  },
}
