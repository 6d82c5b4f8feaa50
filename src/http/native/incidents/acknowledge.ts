import type { z } from 'zod'
import { acknowledgeIncidents } from '../../../actions/incidents/acknowledge-incidents.js'
import { toJson } from '../../../core/wire/json.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { namingFields, parseBody } from '../request.js'
import { incidentId, oneIncident, shownIncident } from './incident.js'
import { acknowledgedAnswer, acknowledgementBody, incidentAnswer, severalBody } from './schemas.js'

export const acknowledgeIncident: NativeOperation = {
  id: 'acknowledgeIncident',
  summary: 'Acknowledge an incident',
  description: 'Repeats and further steps stop; its recovery is sent. Again: a new note and end.',
  scope: 'incidents:write',
  key: 'rw',
  request: { json: acknowledgementBody, example: { note: 'I am looking into it.' } },
  responses: { 200: { description: 'The incident.', schema: incidentAnswer } },
  errors: { ...oneIncident, 409: 'The incident is closed.' },
  async handle(call) {
    const body = await parsed(call, acknowledgementBody())
    await acknowledge(call, [incidentId(call)], body)
    return await shownIncident(call)
  },
}

export const acknowledgeSeveral: NativeOperation = {
  id: 'acknowledgeIncidents',
  summary: 'Acknowledge several incidents',
  description: 'Closed ones stay as they are.',
  scope: 'incidents:write',
  key: 'rw',
  request: { json: severalBody, example: { incidents: [1], note: 'The network is down.' } },
  responses: { 200: { description: 'The incidents that are acknowledged now.', schema: acknowledgedAnswer } },
  errors: { ...oneIncident, 409: 'There is only one, and it is closed.' },
  async handle(call) {
    const { incidents, ...body } = parseBody(severalBody(), call.body)
    return { status: 200, body: toJson({ acknowledged: await acknowledge(call, incidents, body) }) }
  },
}

export const unacknowledgeIncident: NativeOperation = {
  id: 'unacknowledgeIncident',
  summary: 'Take an acknowledgement back',
  scope: 'incidents:write',
  key: 'rw',
  responses: { 200: { description: 'The incident.', schema: incidentAnswer } },
  errors: { ...oneIncident, 409: 'The incident is not acknowledged.' },
  async handle(call) {
    const { deps, access, now } = call
    await deps.store.incidents.unacknowledge(access.projectId, incidentId(call), { by: access.author, now })
    return await shownIncident(call)
  },
}

async function acknowledge(
  { deps, access }: NativeCall,
  ids: readonly number[],
  { note, until }: { note: string; until: string | null },
): Promise<number[]> {
  const asked = { ids, by: access.author, note, until: until === null ? null : Date.parse(until) }
  return await namingFields(acknowledgeIncidents(deps, access.projectId, asked))
}

/** Reports a missing incident, or one of another project, before errors in the body. */
export async function parsed<S extends z.ZodType>(call: NativeCall, schema: S): Promise<z.output<S>> {
  try {
    return parseBody(schema, call.body)
  } catch (error) {
    await call.deps.store.incidents.find(call.access.projectId, incidentId(call), call.now)
    throw error
  }
}
