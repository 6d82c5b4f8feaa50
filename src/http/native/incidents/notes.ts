import { addNote } from '../../../actions/incidents/add-note.js'
import type { NativeOperation } from '../native-operation.js'
import { namingFields } from '../request.js'
import { parsed } from './acknowledge.js'
import { incidentId, oneIncident, shownIncident } from './incident.js'
import { incidentAnswer, noteBody } from './schemas.js'

export const addIncidentNote: NativeOperation = {
  id: 'addIncidentNote',
  summary: 'Add a note to an incident',
  scope: 'incidents:write',
  key: 'rw',
  request: { json: noteBody, example: { note: 'The disk is full; a larger one is ordered.' } },
  responses: { 200: { description: 'The incident.', schema: incidentAnswer } },
  errors: { ...oneIncident },
  async handle(call) {
    const { note } = await parsed(call, noteBody())
    const { deps, access } = call
    await namingFields(addNote(deps, access.projectId, { id: incidentId(call), by: access.author, note }))
    return await shownIncident(call)
  },
}
