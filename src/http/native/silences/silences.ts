import { z } from 'zod'
import { toJson } from '../../../core/wire/json.js'
import { silenceShape } from '../../../core/wire/silence.js'
import { parsedFor } from '../checks/check.js'
import { EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { readQuery } from '../query.js'
import { idOf, oneCheck } from '../request.js'
import { NEWEST_FIRST, pageJson, pageOf, pageOfAll } from '../serve/page.js'
import { parseNewSilence, parseSilenceChanges, parseSnooze, refusingFields } from './request.js'
import {
  newSilence,
  silenceAnswer,
  silenceChanges,
  silencesAnswer,
  snooze,
  writtenSilence,
} from './schemas.js'

const STATES = ['active', 'coming', 'past'] as const

const oneSilence = { 404: 'There is no such silence in the project.' }

export const listSilences: NativeOperation = {
  id: 'listSilences',
  summary: 'List the silences of the project',
  description: 'Those that are active or to come; with `state=past` those that are over. Newest first.',
  scope: 'checks:read',
  key: 'ro',
  query: [{ name: 'state', description: 'Only silences in this state.', schema: z.enum(STATES).optional() }],
  listing: NEWEST_FIRST,
  responses: { 200: { description: 'The silences.', schema: silencesAnswer } },
  errors: {},
  async handle(call) {
    const { state = null } = readQuery(call.query, PARAMETERS)
    const page = pageOf(call, NEWEST_FIRST)
    const { shown, next } =
      state === 'past' ? await pastOnes(call, page) : await currentOnes(call, state, page)
    const shapeOf = (one: (typeof shown)[number]) => silenceShape(one, call.access.kind)
    return { status: 200, body: await pageJson(call, shown, shapeOf, next) }
  },
}

export const createSilence: NativeOperation = {
  id: 'createSilence',
  summary: 'Create a silence',
  scope: 'incidents:write',
  key: 'rw',
  request: {
    json: newSilence,
    example: {
      scope: { tags: ['db'] },
      when: { cron: '0 2 * * 0', duration: 7200, timezone: 'Europe/Riga' },
      reason: 'Maintenance of the database',
    },
  },
  responses: { 201: { description: 'The silence.', schema: writtenSilence } },
  errors: { 403: 'The project has too many silences.' },
  async handle(call) {
    const { deps, access, now } = call
    const asked = parseNewSilence(call.body)
    const { id } = await refusingFields(asked.times, () =>
      deps.store.silences.create(access.projectId, { ...asked, createdBy: access.author, now }),
    )
    return await shown(call, id, 201)
  },
}

export const getSilence: NativeOperation = {
  id: 'getSilence',
  summary: 'Get a silence',
  scope: 'checks:read',
  key: 'ro',
  responses: { 200: { description: 'The silence.', schema: silenceAnswer } },
  errors: { ...oneSilence },
  async handle(call) {
    return await shown(call, silenceId(call))
  },
}

export const patchSilence: NativeOperation = {
  id: 'patchSilence',
  summary: 'Change a silence',
  description: 'What is not sent stays as it is. Alerts that it no longer holds are sent at once.',
  scope: 'incidents:write',
  key: 'rw',
  request: {
    json: silenceChanges,
    example: { scope: { checks: [EXAMPLE.check] }, reason: 'The server moves.' },
  },
  responses: { 200: { description: 'The silence after the change.', schema: writtenSilence } },
  errors: {
    ...oneSilence,
    409: 'The silence is over.',
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
  scope: 'incidents:write',
  key: 'rw',
  responses: { 200: { description: 'The silence.', schema: writtenSilence } },
  errors: { ...oneSilence },
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
  scope: 'incidents:write',
  key: 'rw',
  request: { json: snooze, example: { seconds: 3600 } },
  responses: { 201: { description: 'The silence.', schema: writtenSilence } },
  errors: { ...oneCheck },
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
      createdBy: access.author,
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
}

type Page = { after: number | null; limit: number }

async function pastOnes({ deps, access, now }: NativeCall, { after: before, limit }: Page) {
  const found = await deps.store.silences.listPast(access.projectId, { now, before, most: limit + 1 })
  const shown = found.slice(0, limit)
  return { shown, next: found.length > limit ? shown.at(-1)!.id : null }
}

async function currentOnes({ deps, access, now }: NativeCall, state: string | null, page: Page) {
  const all = await deps.store.silences.list(access.projectId, now)
  return pageOfAll(
    all.filter(one => state === null || one.state === state),
    page,
  )
}
