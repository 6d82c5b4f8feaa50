import { Refusal } from '../../../core/errors.js'
import { isoSeconds } from '../../../core/wire/timestamp.js'
import { maskSettings } from '../../../integrations/fields.js'
import { integrationOf } from '../../../integrations/index.js'
import { joinMembers } from '../../../integrations/members.js'
import type { Channel } from '../../../storage/channels/channels.js'
import type { NativeCall } from '../native-operation.js'

export const oneChannel = { 404: 'There is no such channel in the project' }
export const atService = { 503: 'The service, or the mail server, failed.' }

/** The channel named in the path. Throws `Refusal('not-found')` if the project has none such. */
export async function channelOf(call: NativeCall) {
  return await named(call, call.params.uuid!)
}

/** The channel of the project with this UUID. Throws as `channelOf` does. */
export async function named({ deps, access }: Pick<NativeCall, 'deps' | 'access'>, uuid: string) {
  const channel = await deps.store.channels.find(uuid)
  if (channel?.projectId !== access.projectId) throw new Refusal('not-found', 'channel not found')
  return channel
}

/** A channel as JSON, with secrets masked; of a kind that this version does not know, without settings. */
export function channelShape(channel: Channel) {
  const { uuid, kind, name, settings, members, disabled, confirmed, lastNotify, lastError, createdAt } =
    channel
  const integration = integrationOf(kind)
  const whole = integration ? joinMembers(integration, settings, members) : {}
  return {
    uuid,
    kind,
    name,
    settings: integration ? maskSettings(integration, whole) : {},
    enabled: !disabled,
    confirmed,
    last_notify: lastNotify === null ? null : isoSeconds(lastNotify),
    last_error: lastError,
    created_at: isoSeconds(createdAt),
  }
}
