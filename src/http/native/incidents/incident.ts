import { incidentEntryShape, incidentShape } from '../../../core/wire/incident.js'
import { toJson } from '../../../core/wire/json.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { idOf } from '../request.js'
import { timelineAnswer } from './schemas.js'

/** The errors of operations on one incident. */
export const oneIncident = { 404: 'There is no such incident in the project.' }

/** The incident named in the path. */
export function incidentId(call: NativeCall): number {
  return idOf(call, 'incident')
}

/** The response with an incident as it is now. */
export async function shownIncident(call: NativeCall) {
  const { deps, access, now } = call
  const incident = await deps.store.incidents.find(access.projectId, incidentId(call), now)
  return { status: 200, body: toJson(incidentShape(incident, access.kind)) }
}

export const getIncident: NativeOperation = {
  id: 'getIncident',
  summary: 'Get an incident with what happened to it',
  scope: 'checks:read',
  key: 'ro',
  responses: { 200: { description: 'The incident.', schema: timelineAnswer } },
  errors: { ...oneIncident },
  async handle(call) {
    const { deps, access, now } = call
    const { incident, entries } = await deps.store.incidents.timeline(access.projectId, incidentId(call), now)
    const timeline = entries.map(entry => incidentEntryShape(entry, access.kind))
    return { status: 200, body: toJson({ ...incidentShape(incident, access.kind), timeline }) }
  },
}
