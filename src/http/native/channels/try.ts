import { fieldsByHand, requireAvailable } from '../../../actions/channels/add-by-program.js'
import { testDraft } from '../../../actions/channels/test-draft.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import { toJson } from '../../../core/wire/json.js'
import { operatorOf } from '../../operator.js'
import { CHANNEL_EXAMPLE } from '../example-names.js'
import type { NativeOperation } from '../native-operation.js'
import { parseBody } from '../request.js'
import { askerOf } from './ask.js'
import { knownKind, requireRole } from './kind.js'
import { atService } from './load.js'
import { newChannel, newChannelTest } from './schemas.js'
import { inSettings, prepared, refuseOthers } from './settings.js'
import { testerOf } from './tester.js'

export const testNewChannel: NativeOperation = {
  id: 'testNewChannel',
  summary: 'Send a test through a channel before it is created',
  description:
    'Nothing is stored. Groups, and integrations whose recipient has to agree or that are connected at the service, can be tested once they are created. ' +
    '20 an hour for a kind, 100 for all.',
  scope: 'channels:write',
  request: { json: newChannel, example: CHANNEL_EXAMPLE },
  responses: { 200: { description: 'What came of it.', schema: newChannelTest } },
  errors: atService,
  async handle(call) {
    const { deps, access } = call
    const { kind, name, settings: given } = parseBody(newChannel(), call.body)
    const integration = knownKind(kind)
    requireRole(access, kind)
    requireAvailable(operatorOf(deps), integration)
    refuseOthers(fieldsByHand(integration), given)
    const asker = await askerOf(call, integration)
    const tester = await testerOf(call)
    await limitAttempts(deps.store, deps.clock, {
      test: `draft:${access.projectId}:${kind}:${tester}`,
      tests: tester,
    })
    const { status, error, durationMs } = await inSettings(async () => {
      const settings = await prepared(call, kind, given)
      const draft = { projectId: access.projectId, kind, name, settings, asker, stored: null }
      return await testDraft(deps.delivery, draft)
    })
    return { status: 200, body: toJson({ status, error, duration_ms: Math.round(durationMs) }) }
  },
}
