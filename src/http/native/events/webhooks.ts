import {
  createEventWebhook as createWebhook,
  rotateEventWebhookSecret as rotateSecret,
  testEventWebhook as testWebhook,
} from '../../../actions/events/event-webhooks.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import { typesNamed } from '../../../core/events/event-filter.js'
import { eventAttemptShape, eventWebhookShape } from '../../../core/wire/event-webhook.js'
import { toJson } from '../../../core/wire/json.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { testerOf } from '../channels/tester.js'
import { EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { parseBody } from '../request.js'
import {
  answerInOrder,
  byCreation,
  IN_ORDER,
  NEWEST_FIRST,
  pageJson,
  pageOf,
  pageOfAll,
} from '../serve/page.js'
import { authorOf } from '../serve/person.js'
import {
  deletedEventWebhook,
  eventAttempt,
  eventAttemptsAnswer,
  eventWebhook,
  eventWebhookChanges,
  eventWebhooksAnswer,
  newEventWebhook,
} from './webhook-schemas.js'

const oneWebhook = { 404: 'There is no such event webhook in the project.' }

/** Events tell everything that managers see. */
const MANAGERS = { scope: 'config:write', role: 'manage' } as const

/** Whoever says where events are sent can read them there. */
const READERS = { ...MANAGERS, alsoNeeds: ['log:read'] } as const

export const listEventWebhooks: NativeOperation = {
  id: 'listEventWebhooks',
  summary: 'List the event webhooks of the project',
  description: 'Oldest first, without their secrets.',
  ...MANAGERS,
  listing: IN_ORDER,
  responses: { 200: { description: 'The event webhooks.', schema: eventWebhooksAnswer } },
  errors: {},
  async handle(call) {
    const read = () => call.deps.store.events.webhooks(call.access.projectId)
    return await answerInOrder(call, read, byCreation, webhook => eventWebhookShape(webhook))
  },
}

export const createEventWebhook: NativeOperation = {
  id: 'createEventWebhook',
  summary: 'Create an event webhook',
  description:
    'It is sent the events after its creation, one after the other. The secret is shown only in this answer.',
  ...READERS,
  request: {
    json: newEventWebhook,
    example: { name: 'Audit', url: `${EXAMPLE.receiver}/events`, types: ['check', 'incident.opened'] },
  },
  responses: { 201: { description: 'The event webhook, with its secret.', schema: eventWebhook } },
  errors: { 403: 'The project has too many event webhooks.' },
  async handle(call) {
    const { deps, access, now } = call
    const { types, ...asked } = parseBody(newEventWebhook(), call.body)
    const named = { ...asked, types: typesNamed(types)! }
    const acting = { projectId: access.projectId, by: authorOf(access), now }
    const { uuid, secret } = await createWebhook(deps.store, deps.config.SECRET_KEY, acting, named)
    return await shown(call, uuid, { status: 201, secret })
  },
}

export const getEventWebhook: NativeOperation = {
  id: 'getEventWebhook',
  summary: 'Get an event webhook',
  ...MANAGERS,
  responses: { 200: { description: 'The event webhook.', schema: eventWebhook } },
  errors: oneWebhook,
  state: ['failures', 'failing_since', 'last_error', 'last_sent'],
  async handle(call) {
    return await shown(call, call.params.uuid!)
  },
}

export const patchEventWebhook: NativeOperation = {
  id: 'patchEventWebhook',
  summary: 'Change, enable or disable an event webhook',
  description:
    'What is not sent stays as it is. When it is enabled again, it is sent what happened in the meantime.',
  ...READERS,
  request: { json: eventWebhookChanges, example: { types: [], enabled: true } },
  responses: { 200: { description: 'The event webhook after the change.', schema: eventWebhook } },
  errors: oneWebhook,
  async handle(call) {
    const { types, ...asked } = parseBody(eventWebhookChanges(), call.body)
    const named = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
    const changes = { ...named, ...(types === undefined ? {} : { types: typesNamed(types)! }) }
    return await changed(call, changes)
  },
}

export const deleteEventWebhook: NativeOperation = {
  id: 'deleteEventWebhook',
  summary: 'Delete an event webhook',
  ...MANAGERS,
  responses: { 200: { description: 'It was deleted.', schema: deletedEventWebhook } },
  errors: oneWebhook,
  async handle({ deps, access, params, now }) {
    await deps.store.events.deleteWebhook(access.projectId, params.uuid!, { by: authorOf(access), now })
    return { status: 200, body: toJson({}) }
  },
}

export const rotateEventWebhookSecret: NativeOperation = {
  id: 'rotateEventWebhookSecret',
  summary: 'Make a new secret for an event webhook',
  description: 'The next request is signed with it. It is shown only in this answer.',
  ...MANAGERS,
  responses: { 200: { description: 'The event webhook, with its secret.', schema: eventWebhook } },
  errors: oneWebhook,
  async handle(call) {
    const { deps, access, params, now } = call
    const acting = { projectId: access.projectId, by: authorOf(access), now }
    const { secret } = await rotateSecret(deps.store, deps.config.SECRET_KEY, acting, params.uuid!)
    return await shown(call, params.uuid!, { status: 200, secret })
  },
}

export const testEventWebhook: NativeOperation = {
  id: 'testEventWebhook',
  summary: 'Send a test to an event webhook',
  description:
    'A request with the type `test`, signed as all are. It waits for the answer, and the cursor stays. 20 an hour for one webhook, and 100 for all and for channels.',
  ...MANAGERS,
  responses: { 200: { description: 'What became of it.', schema: eventAttempt } },
  errors: oneWebhook,
  async handle(call) {
    const { deps, access, params } = call
    const tester = await testerOf(call)
    await limitAttempts(deps.store, deps.clock, { test: `${params.uuid}:${tester}`, tests: tester })
    const posting = {
      transports: deps.delivery.transports,
      secretKeys: secretKeysOf(deps.config),
      clock: deps.clock,
    }
    const result = await testWebhook(deps.store, posting, access.projectId, params.uuid!)
    return { status: 200, body: toJson(eventAttemptShape({ ...result, eventId: null, type: 'test' })) }
  },
}

export const listEventWebhookAttempts: NativeOperation = {
  id: 'listEventWebhookAttempts',
  summary: 'List the newest requests of an event webhook',
  description: 'Newest first, at most 50. What was answered is not kept, except for its status.',
  ...MANAGERS,
  listing: NEWEST_FIRST,
  responses: { 200: { description: 'The requests.', schema: eventAttemptsAnswer } },
  errors: oneWebhook,
  async handle(call) {
    const page = pageOf(call, NEWEST_FIRST)
    const { id } = await call.deps.store.events.webhook(call.access.projectId, call.params.uuid!)
    const { shown: some, next } = pageOfAll(await call.deps.store.events.webhookAttempts(id), page)
    return { status: 200, body: await pageJson(call, some, eventAttemptShape, next) }
  },
}

async function changed(
  call: NativeCall,
  changes: Omit<Parameters<NativeCall['deps']['store']['events']['updateWebhook']>[2], 'by' | 'now'>,
) {
  const { deps, access, params, now } = call
  const written = { ...changes, by: authorOf(access), now }
  await deps.store.events.updateWebhook(access.projectId, params.uuid!, written)
  return await shown(call, params.uuid!)
}

async function shown(
  { deps, access }: NativeCall,
  uuid: string,
  { status, secret }: { status: number; secret?: string } = { status: 200 },
) {
  const webhook = await deps.store.events.webhook(access.projectId, uuid)
  return { status, body: toJson(eventWebhookShape(webhook, secret)) }
}
