import { addNote } from '../../../actions/incidents/add-note.js'
import { malformedBody, writeKey } from '../../api/refusals.js'
import type { NativeOperation } from '../native-operation.js'
import { BY_KEY, namingFields } from '../request.js'
import { parsed } from './acknowledge.js'
import { incidentId, oneIncident, shownIncident } from './incident.js'
import { incidentAnswer, noteBody } from './schemas.js'

export const addIncidentNote: NativeOperation = {
  id: 'addIncidentNote',
  summary: 'Add a note to an incident',
  key: 'rw',
  request: { json: noteBody },
  responses: { 200: { description: 'The incident.', schema: incidentAnswer } },
  errors: { ...malformedBody, ...writeKey, ...oneIncident, 422: 'The note is wrong.' },
  async handle(call) {
    const { note } = await parsed(call, noteBody())
    const { deps, access } = call
    await namingFields(addNote(deps, access.projectId, { id: incidentId(call), by: BY_KEY, note }))
    return await shownIncident(call)
  },
}
