/** Every path of Punctual's own API, after its prefix, and what each method does there. */
import { getCheck, patchCheck } from './check.js'
import { listFindings } from './findings.js'
import {
  acknowledgeIncident,
  acknowledgeSeveral,
  addIncidentNote,
  explainCheck,
  getIncident,
  listIncidents,
  unacknowledgeIncident,
} from './incidents/index.js'
import type { NativeOperation } from './native-operation.js'
import { createPolicy, deletePolicy, getPolicy, listPolicies, patchPolicy } from './policies/index.js'
import { listRuns } from './runs.js'
import { createSilence, endSilence, getSilence, listSilences, patchSilence, snoozeCheck } from './silences.js'

export interface NativeRoute {
  path: string
  methods: Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', NativeOperation>>
  /** The path with the same operations, under another name of the check. */
  sameAs?: string
}

export const NATIVE_PREFIX = '/api/punctual/v1'

export const nativeRoutes: readonly NativeRoute[] = [
  { path: '/checks/{uuid}', methods: { GET: getCheck, PATCH: patchCheck } },
  { path: '/checks/{unique_key}', methods: { GET: getCheck }, sameAs: '/checks/{uuid}' },
  { path: '/checks/{uuid}/runs', methods: { GET: listRuns } },
  { path: '/checks/{unique_key}/runs', methods: { GET: listRuns }, sameAs: '/checks/{uuid}/runs' },
  { path: '/checks/{uuid}/findings', methods: { GET: listFindings } },
  {
    path: '/checks/{unique_key}/findings',
    methods: { GET: listFindings },
    sameAs: '/checks/{uuid}/findings',
  },
  { path: '/checks/{uuid}/snooze', methods: { POST: snoozeCheck } },
  { path: '/silences', methods: { GET: listSilences, POST: createSilence } },
  { path: '/silences/{id}', methods: { GET: getSilence, PATCH: patchSilence, DELETE: endSilence } },
  { path: '/checks/{uuid}/explain', methods: { GET: explainCheck } },
  {
    path: '/checks/{unique_key}/explain',
    methods: { GET: explainCheck },
    sameAs: '/checks/{uuid}/explain',
  },
  { path: '/policies', methods: { GET: listPolicies, POST: createPolicy } },
  { path: '/policies/{id}', methods: { GET: getPolicy, PATCH: patchPolicy, DELETE: deletePolicy } },
  { path: '/incidents', methods: { GET: listIncidents } },
  { path: '/incidents/acknowledge', methods: { POST: acknowledgeSeveral } },
  { path: '/incidents/{id}', methods: { GET: getIncident } },
  {
    path: '/incidents/{id}/acknowledge',
    methods: { POST: acknowledgeIncident, DELETE: unacknowledgeIncident },
  },
  { path: '/incidents/{id}/notes', methods: { POST: addIncidentNote } },
]
