import { assignChannel } from '../../../actions/channels/assign-channel.js'
import { testChannel as sendTest } from '../../../actions/channels/test-channel.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import { toJson } from '../../../core/wire/json.js'
import { isoSeconds } from '../../../core/wire/timestamp.js'
import { EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { namingFields, parseBody } from '../request.js'
import { channelOf, oneChannel } from './load.js'
import { assignment, notificationsAnswer, testAnswer } from './schemas.js'
import { testerOf } from './tester.js'

/** The number of notifications of an answer, as on the page. */
const LISTED = 50

export const getChannelChecks: NativeOperation = {
  id: 'getChannelChecks',
  summary: 'List the checks that a channel is assigned to',
  scope: 'channels:write',
  responses: { 200: { description: 'Their UUIDs.', schema: assignment } },
  errors: oneChannel,
  async handle(call) {
    return await assigned(call)
  },
}

export const putChannelChecks: NativeOperation = {
  id: 'putChannelChecks',
  summary: 'Assign a channel to checks, and to no others',
  description: 'All have to be checks of the project; otherwise nothing is changed.',
  scope: 'channels:write',
  request: { json: assignment, example: { checks: [EXAMPLE.check] } },
  responses: { 200: { description: 'The UUIDs of its checks.', schema: assignment } },
  errors: oneChannel,
  async handle(call) {
    const { id } = await channelOf(call)
    const { checks } = parseBody(assignment(), call.body)
    const { store, clock } = call.deps
    await namingFields(
      assignChannel(store, clock, { id, projectId: call.access.projectId, checks, known: true }),
    )
    return await assigned(call)
  },
}

export const testChannel: NativeOperation = {
  id: 'testChannel',
  summary: 'Send a test through a channel',
  description: 'To each member of a group. 20 an hour for one channel, 100 for all.',
  scope: 'channels:write',
  role: 'read',
  responses: { 200: { description: 'What came of it.', schema: testAnswer } },
  errors: oneChannel,
  async handle(call) {
    const { deps } = call
    const { uuid } = await channelOf(call)
    const tester = await testerOf(call)
    await limitAttempts(deps.store, deps.clock, { test: `${uuid}:${tester}`, tests: tester })
    const results = (await sendTest(deps.delivery, uuid)).map(({ channel, status, error, durationMs }) => ({
      channel,
      status,
      error,
      duration_ms: Math.round(durationMs),
    }))
    return { status: 200, body: toJson({ results }) }
  },
}

export const listChannelNotifications: NativeOperation = {
  id: 'listChannelNotifications',
  summary: 'List the last notifications of a channel',
  description: 'At most 50, newest first.',
  scope: 'channels:write',
  responses: { 200: { description: 'The notifications.', schema: notificationsAnswer } },
  errors: oneChannel,
  async handle(call) {
    const { id } = await channelOf(call)
    const { events } = await call.deps.store.channels.log(id, LISTED)
    const notifications = events.map(({ at, check, status, attempt, error, test }) => ({
      at: isoSeconds(at),
      check: check?.uuid ?? null,
      status,
      attempt,
      error,
      test,
    }))
    return { status: 200, body: toJson({ notifications }) }
  },
}

async function assigned(call: NativeCall) {
  const { id } = await channelOf(call)
  const checks = await call.deps.store.channels.checksOf(call.access.projectId, id)
  return { status: 200, body: toJson({ checks }) }
}
