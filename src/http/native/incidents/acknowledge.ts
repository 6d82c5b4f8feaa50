import type { z } from 'zod'
import { acknowledgeIncidents } from '../../../actions/incidents/acknowledge-incidents.js'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { malformedBody, writeKey } from '../../api/refusals.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { FieldRefusal, fieldRefusal } from '../problem.js'
import { idOf, oneIncident, shownIncident } from './incident.js'
import { acknowledgedAnswer, acknowledgementBody, incidentAnswer, severalBody } from './schemas.js'

/** Who acts with an API key, as timelines show it. */
export const BY_KEY = 'API key'

const ERRORS = { ...malformedBody, ...writeKey, ...oneIncident, 422: 'Some fields are wrong.' }

export const acknowledgeIncident: NativeOperation = {
  id: 'acknowledgeIncident',
  summary: 'Acknowledge an incident',
  description: 'Repeats and further steps stop; its recovery is sent. Again: a new note and end.',
  key: 'rw',
  request: { json: acknowledgementBody },
  responses: { 200: { description: 'The incident.', schema: incidentAnswer } },
  errors: { ...ERRORS, 409: 'The incident is closed.' },
  async handle(call) {
    const body = await parsed(call, acknowledgementBody())
    await acknowledge(call, [idOf(call)], body)
    return await shownIncident(call)
  },
}

export const acknowledgeSeveral: NativeOperation = {
  id: 'acknowledgeIncidents',
  summary: 'Acknowledge several incidents',
  description: 'Closed ones stay as they are.',
  key: 'rw',
  request: { json: severalBody },
  responses: { 200: { description: 'The incidents that are acknowledged now.', schema: acknowledgedAnswer } },
  errors: { ...ERRORS, 409: 'There is only one, and it is closed.' },
  async handle(call) {
    const { incidents, ...body } = parseBody(call, severalBody())
    return { status: 200, body: toJson({ acknowledged: await acknowledge(call, incidents, body) }) }
  },
}

export const unacknowledgeIncident: NativeOperation = {
  id: 'unacknowledgeIncident',
  summary: 'Take an acknowledgement back',
  key: 'rw',
  responses: { 200: { description: 'The incident.', schema: incidentAnswer } },
  errors: { ...writeKey, ...oneIncident, 409: 'The incident is not acknowledged.' },
  async handle(call) {
    const { deps, access, now } = call
    await deps.store.incidents.unacknowledge(access.projectId, idOf(call), { by: BY_KEY, now })
    return await shownIncident(call)
  },
}

async function acknowledge(
  { deps, access }: NativeCall,
  ids: readonly number[],
  { note, until }: { note: string; until: string | null },
): Promise<number[]> {
  const asked = { ids, by: BY_KEY, note, until: until === null ? null : Date.parse(until) }
  return await named(acknowledgeIncidents(deps, access.projectId, asked))
}

/** Reports a missing incident, or one of another project, before errors in the body. */
export async function parsed<S extends z.ZodType>(call: NativeCall, schema: S): Promise<z.output<S>> {
  try {
    return parseBody(call, schema)
  } catch (error) {
    await call.deps.store.incidents.find(call.access.projectId, idOf(call), call.now)
    throw error
  }
}

function parseBody<S extends z.ZodType>({ body }: NativeCall, schema: S): z.output<S> {
  const result = schema.safeParse(body)
  if (!result.success) throw fieldRefusal(result.error)
  return result.data
}

/** The result of an action; its refusal of a field names the place in the body. */
export async function named<T>(result: Promise<T>): Promise<T> {
  return await result.catch(error => {
    if (!(error instanceof Refusal) || error.field === undefined) throw error
    throw new FieldRefusal([{ detail: error.message, pointer: `/${error.field}` }])
  })
}
