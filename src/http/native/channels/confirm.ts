import { askToConfirm } from '../../../actions/channels/confirm-address.js'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { integrationOf } from '../../../integrations/index.js'
import type { Integration } from '../../../integrations/integration.js'
import type { NativeOperation } from '../native-operation.js'
import { askerOf, mailDepsOf } from './ask.js'
import { atService, channelOf, oneChannel } from './load.js'
import { nothing } from './schemas.js'

export const requestConfirmation: NativeOperation = {
  id: 'requestChannelConfirmation',
  summary: 'Ask the owner of an address again to confirm a channel',
  description: 'It was asked for when the channel was created, and when its address changed.',
  scope: 'channels:write',
  responses: { 200: { description: 'The e-mail was sent.', schema: nothing } },
  errors: { ...oneChannel, ...atService, 409: 'The address needs no confirmation' },
  async handle(call) {
    const { deps, access } = call
    const { uuid, kind, settings, confirmed } = await channelOf(call)
    const integration: Pick<Integration, 'recipient'> = integrationOf(kind) ?? {}
    const asker = await askerOf(call, integration)
    const address = integration.recipient?.(settings)
    const mail = mailDepsOf(deps)
    if (address === undefined || asker === null || mail === null || confirmed) {
      throw new Refusal('conflict', 'the address needs no confirmation')
    }
    const project = (await deps.store.projects.findById(access.projectId))?.name ?? ''
    await askToConfirm(mail, deps.config.SECRET_KEY, { channelUuid: uuid, address, project, asker })
    return { status: 200, body: toJson({}) }
  },
}
