import { findingShape } from '../../../core/wire/finding.js'
import { toJson } from '../../../core/wire/json.js'
import type { NativeOperation } from '../native-operation.js'
import { oneCheck } from '../request.js'
import { refOf } from './check.js'
import { findingsAnswer } from './schemas.js'

export const listFindings: NativeOperation = {
  id: 'listFindings',
  summary: 'List what about a check may be meant otherwise than it is set',
  description: 'Computed from its settings, its last 100 runs and its channels.',
  scope: 'checks:read',
  key: 'ro',
  responses: { 200: { description: 'The findings.', schema: findingsAnswer } },
  errors: { ...oneCheck },
  async handle(call) {
    const { deps, access, now } = call
    const findings = await deps.store.checks.findings(access.projectId, refOf(call), now)
    return { status: 200, body: toJson({ findings: findings.map(findingShape) }) }
  },
}
