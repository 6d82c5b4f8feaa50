import { editableFields, fieldsByHand, pageToFinish } from '../../../actions/channels/add-by-program.js'
import { addChannel } from '../../../actions/channels/add-channel.js'
import { changeChannel } from '../../../actions/channels/change-channel.js'
import { deleteChannel as remove } from '../../../actions/channels/delete-channel.js'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { joinMembers } from '../../../integrations/members.js'
import { installationOf } from '../../operator.js'
import { CHANNEL_EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { parseBody } from '../request.js'
import { answerInOrder, byCreation, IN_ORDER } from '../serve/page.js'
import { authorOf } from '../serve/person.js'
import { askerOf, askForConsent } from './ask.js'
import { knownKind, requireRole } from './kind.js'
import { atService, channelOf, channelShape, named, oneChannel } from './load.js'
import { channelAnswer, channelChanges, channelsAnswer, newChannel, nothing, setupAnswer } from './schemas.js'
import { inSettings, prepared, refuseOthers } from './settings.js'

export const listChannels: NativeOperation = {
  id: 'listChannels',
  summary: 'List the channels of the project',
  description: 'Oldest first, with secrets masked.',
  scope: 'channels:write',
  listing: IN_ORDER,
  responses: { 200: { description: 'The channels.', schema: channelsAnswer } },
  errors: {},
  async handle(call) {
    const read = () => call.deps.store.channels.list(call.access.projectId)
    return await answerInOrder(call, read, byCreation, channelShape)
  },
}

export const createChannel: NativeOperation = {
  id: 'createChannel',
  summary: 'Create a channel',
  description:
    'It is assigned to every check of the project. Kinds that need a consent page are not created: the answer is the page where a person does it. The owner of an e-mail address is asked first, as on pages.',
  scope: 'channels:write',
  request: { json: newChannel, example: CHANNEL_EXAMPLE },
  responses: {
    201: { description: 'The channel.', schema: channelAnswer },
    202: { description: 'A person has to finish it on a page.', schema: setupAnswer },
  },
  errors: atService,
  async handle(call) {
    const { deps, access } = call
    const { kind, name, settings: given } = parseBody(newChannel(), call.body)
    const integration = knownKind(kind)
    requireRole(access, kind)
    const project = await deps.store.projects.findById(access.projectId)
    if (!project) throw new Refusal('not-found', 'project not found')
    const toFinish = pageToFinish(installationOf(deps), integration, project.uuid)
    if (toFinish !== null) return { status: 202, body: toJson(toFinish) }
    refuseOthers(fieldsByHand(integration), given)
    const asker = await askerOf(call, integration)
    const made = await inSettings(async () => {
      const settings = await prepared(call, kind, given)
      const asked = { projectId: project.id, kind, name, settings, asker, by: authorOf(access) }
      return await addChannel(deps.store, deps.clock, asked)
    })
    await askForConsent(call, { channelUuid: made.uuid, address: made.toAsk, project: project.name, asker })
    return await shown(call, made.uuid, 201)
  },
}

export const getChannel: NativeOperation = {
  id: 'getChannel',
  summary: 'Get a channel',
  description: 'Secrets are masked.',
  scope: 'channels:write',
  state: ['last_notify', 'last_error', 'confirmed'],
  responses: { 200: { description: 'The channel.', schema: channelAnswer } },
  errors: oneChannel,
  async handle(call) {
    return await shown(call, call.params.uuid!)
  },
}

export const patchChannel: NativeOperation = {
  id: 'patchChannel',
  summary: 'Change, enable or disable a channel',
  description: 'What is not sent stays as it is. A secret does not go to another address than before.',
  scope: 'channels:write',
  request: { json: channelChanges, example: { name: 'Tickets of operations', enabled: true } },
  responses: { 200: { description: 'The channel after the change.', schema: channelAnswer } },
  errors: { ...oneChannel, ...atService },
  async handle(call) {
    const { deps, access, now } = call
    const channel = await channelOf(call)
    requireRole(access, knownKind(channel.kind).kind)
    const { name = channel.name, settings, enabled } = parseBody(channelChanges(), call.body)
    if (settings !== undefined || name !== channel.name) await change(call, channel, name, settings ?? {})
    if (enabled !== undefined) await deps.store.channels.setEnabled(channel.id, enabled, now)
    return await shown(call, channel.uuid)
  },
}

export const deleteChannel: NativeOperation = {
  id: 'deleteChannel',
  summary: 'Delete a channel and its log',
  scope: 'channels:write',
  responses: { 200: { description: 'It was deleted.', schema: nothing } },
  errors: oneChannel,
  async handle(call) {
    const channel = await channelOf(call)
    requireRole(call.access, channel.kind)
    await remove(call.deps.store, channel.id, call.now)
    return { status: 200, body: toJson({}) }
  },
}

type Found = Awaited<ReturnType<typeof channelOf>>

async function change(call: NativeCall, channel: Found, name: string, sent: Record<string, string>) {
  const { deps, access, now } = call
  const integration = knownKind(channel.kind)
  const editable = editableFields(integration)
  refuseOthers(editable, sent)
  const stored = joinMembers(integration, channel.settings, channel.members)
  const kept = editable.filter(({ name: field, sensitive }) => sensitive && sent[field] === undefined)
  const asker = await askerOf(call, integration)
  const { toAsk } = await inSettings(async () => {
    const settings = await prepared(call, channel.kind, { ...stored, ...sent })
    const names = kept.map(field => field.name)
    const edit = { uuid: channel.uuid, name, settings, kept: names, asker, by: authorOf(access) }
    return await changeChannel(deps.store, edit, now)
  })
  const project = await deps.store.projects.findById(channel.projectId)
  await askForConsent(call, {
    channelUuid: channel.uuid,
    address: toAsk,
    project: project?.name ?? '',
    asker,
  })
}

async function shown(call: NativeCall, uuid: string, status = 200) {
  return { status, body: toJson(channelShape(await named(call, uuid))) }
}
