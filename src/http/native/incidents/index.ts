export { acknowledgeIncident, acknowledgeSeveral, unacknowledgeIncident } from './acknowledge.js'
export { getIncident } from './incident.js'
export { listIncidents } from './list-incidents.js'
export { addIncidentNote } from './notes.js'
