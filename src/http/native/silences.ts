import { z } from 'zod'
import { toJson } from '../../core/wire/json.js'
import { silenceShape } from '../../core/wire/silence.js'
import { anyKey, malformedBody, oneCheck, writeKey } from '../api/refusals.js'
import { parsedFor } from './check.js'
import type { NativeCall, NativeOperation } from './native-operation.js'
import { FieldRefusal } from './problem.js'
import { positive, readQuery } from './query.js'
import { BY_KEY, idOf, LARGEST_ID } from './request.js'
import { parseNewSilence, parseSilenceChanges, parseSnooze, refusingFields } from './silence-request.js'
import {
  newSilence,
  silenceAnswer,
  silenceChanges,
  silencesAnswer,
  snooze,
  writtenSilence,
} from './silence-schemas.js'

const PAGE = 50
const STATES = ['active', 'coming', 'past'] as const
const WRONG_CURSOR = 'not the next_cursor of an answer about the past'

const oneSilence = { 404: 'There is no such silence in the project.' }
const wrongFields = { 422: 'Some fields are wrong; nothing was changed.' }

export const listSilences: NativeOperation = {
  id: 'listSilences',
  summary: 'List the silences of the project',
  description: 'Those that are active or to come; with `state=past` those that are over, 50 at a time.',
  key: 'ro',
  query: [
    { name: 'state', description: 'Only silences in this state.', schema: z.enum(STATES).optional() },
    {
      name: 'cursor',
      description: 'Where to go on in the past: `next_cursor` of an answer.',
      schema: z.string().optional(),
    },
  ],
  responses: { 200: { description: 'The silences.', schema: silencesAnswer } },
  errors: { ...anyKey, 422: 'A parameter is wrong.' },
  async handle(call) {
    const { deps, access, now } = call
    const { state, before } = filterOf(call)
    const { silences } = deps.store
    const found =
      state === 'past'
        ? await silences.listPast(access.projectId, { now, before, most: PAGE })
        : (await silences.list(access.projectId, now)).filter(one => state === null || one.state === state)
    const next = state === 'past' && found.length === PAGE ? String(found.at(-1)!.id) : null
    const shown = found.map(one => silenceShape(one, access.kind))
    return { status: 200, body: toJson({ silences: shown, next_cursor: next }) }
  },
}

export const createSilence: NativeOperation = {
  id: 'createSilence',
  summary: 'Create a silence',
  key: 'rw',
  request: { json: newSilence },
  responses: { 201: { description: 'The silence.', schema: writtenSilence } },
  errors: { ...malformedBody, ...writeKey, 403: 'The project has too many silences.', ...wrongFields },
  async handle(call) {
    const { deps, access, now } = call
    const asked = parseNewSilence(call.body)
    const { id } = await refusingFields(asked.times, () =>
      deps.store.silences.create(access.projectId, { ...asked, createdBy: BY_KEY, now }),
    )
    return await shown(call, id, 201)
  },
}

export const getSilence: NativeOperation = {
  id: 'getSilence',
  summary: 'Get a silence',
  key: 'ro',
  responses: { 200: { description: 'The silence.', schema: silenceAnswer } },
  errors: { ...anyKey, ...oneSilence },
  async handle(call) {
    return await shown(call, silenceId(call))
  },
}

export const patchSilence: NativeOperation = {
  id: 'patchSilence',
  summary: 'Change a silence',
  description: 'What is not sent stays as it is. Alerts that it no longer holds are sent at once.',
  key: 'rw',
  request: { json: silenceChanges },
  responses: { 200: { description: 'The silence after the change.', schema: writtenSilence } },
  errors: {
    ...malformedBody,
    ...writeKey,
    ...oneSilence,
    409: 'The silence is over.',
    ...wrongFields,
  },
  async handle(call) {
    const { deps, access, now } = call
    const id = silenceId(call)
    await deps.store.silences.find(access.projectId, id, now)
    const asked = parseSilenceChanges(call.body)
    await refusingFields(asked.times, () =>
      deps.store.silences.update(access.projectId, id, { ...asked, now }),
    )
    return await shown(call, id)
  },
}

export const endSilence: NativeOperation = {
  id: 'endSilence',
  summary: 'End a silence now',
  description: 'It is kept among those that are over. Alerts that it held are sent at once.',
  key: 'rw',
  responses: { 200: { description: 'The silence.', schema: writtenSilence } },
  errors: { ...writeKey, ...oneSilence },
  async handle(call) {
    const id = silenceId(call)
    await call.deps.store.silences.end(call.access.projectId, id, call.now)
    return await shown(call, id)
  },
}

export const snoozeCheck: NativeOperation = {
  id: 'snoozeCheck',
  summary: 'Hold the alerts of a check for a time',
  description: 'Creates a silence of this check that begins now.',
  key: 'rw',
  request: { json: snooze },
  responses: { 201: { description: 'The silence.', schema: writtenSilence } },
  errors: { ...malformedBody, ...writeKey, ...oneCheck, ...wrongFields },
  async handle(call) {
    const { deps, access, now, params } = call
    const seconds = await parsedFor(call, () => parseSnooze(call.body))
    await deps.store.checks.withChannels(access.projectId, { uuid: params.uuid! }, now)
    const { id } = await deps.store.silences.create(access.projectId, {
      mode: 'hold',
      scope: { checks: [params.uuid!] },
      channels: null,
      times: { kind: 'once', from: now, to: now + seconds * 1000 },
      reason: '',
      createdBy: BY_KEY,
      now,
    })
    return await shown(call, id, 201)
  },
}

async function shown({ deps, access, now }: NativeCall, id: number, status = 200) {
  const silence = await deps.store.silences.find(access.projectId, id, now)
  return { status, body: toJson(silenceShape(silence, access.kind)) }
}

function silenceId(call: NativeCall): number {
  return idOf(call, 'silence')
}

const PARAMETERS = {
  state: {
    read: (name: string) => STATES.find(state => state === name),
    wrong: `not one of ${STATES.join(', ')}`,
  },
  cursor: positive(LARGEST_ID, WRONG_CURSOR),
}

function filterOf({ query }: NativeCall): { state: (typeof STATES)[number] | null; before: number | null } {
  const { state = null, cursor: before = null } = readQuery(query, PARAMETERS)
  if (before !== null && state !== 'past') {
    throw new FieldRefusal([{ detail: WRONG_CURSOR, parameter: 'cursor' }])
  }
  return { state, before }
}
