/** Every path of Punctual's own API, after its prefix, and what each method does there. */
import {
  createChannel,
  deleteChannel,
  getChannel,
  getChannelChecks,
  listChannelNotifications,
  listChannels,
  listKinds,
  patchChannel,
  putChannelChecks,
  requestConfirmation,
  testChannel,
  testNewChannel,
} from './channels/index.js'
import { clearCheck, copyCheck, moveCheck, pauseCheck, resumeCheck } from './checks/actions.js'
import { getBadges, listBadges, listTags } from './checks/badges.js'
import { batchChecks } from './checks/batch.js'
import { deleteCheck, getCheck, patchCheck } from './checks/check.js'
import { createCheck, listChecks } from './checks/checks.js'
import { listFindings } from './checks/findings.js'
import { getPing, getPingBody, listFlips, listPings } from './checks/pings.js'
import { getPushTokens, putPushTokens } from './checks/push-tokens.js'
import { listRuns } from './checks/runs.js'
import { getLog } from './events/log.js'
import { streamEvents } from './events/stream.js'
import {
  createEventWebhook,
  deleteEventWebhook,
  getEventWebhook,
  listEventWebhookAttempts,
  listEventWebhooks,
  patchEventWebhook,
  rotateEventWebhookSecret,
  testEventWebhook,
} from './events/webhooks.js'
import {
  acknowledgeIncident,
  acknowledgeSeveral,
  addIncidentNote,
  explainCheck,
  getIncident,
  listIncidents,
  unacknowledgeIncident,
} from './incidents/index.js'
import type { AnyNativeOperation, NativeOperation } from './native-operation.js'
import {
  createInvitation,
  getMe,
  getMember,
  listInvitations,
  listMembers,
  listOwnTokens,
  patchMe,
  patchMember,
  removeMember,
  revokeOwnToken,
  withdrawInvitation,
} from './people/index.js'
import { createPolicy, deletePolicy, getPolicy, listPolicies, patchPolicy } from './policies/index.js'
import { applyProject, exportProject, getConfigSchema, planProject } from './projects/config.js'
import {
  acceptProject,
  createKey,
  createProject,
  createToken,
  deleteProject,
  endProjectOffer,
  getProject,
  leaveProject,
  listKeys,
  listProjects,
  listTokens,
  offerProject,
  patchProject,
  revokeKey,
  revokeToken,
} from './projects/index.js'
import {
  createSilence,
  endSilence,
  getSilence,
  listSilences,
  patchSilence,
  snoozeCheck,
} from './silences/silences.js'

export interface NativeRoute {
  path: string
  methods: Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', AnyNativeOperation>>
  /** The path with the same operations, under another name of the check. */
  sameAs?: string
}

export const NATIVE_PREFIX = '/api/punctual/v1'

/** A route that reads from a check, which may also be named by its unique key. */
function ofCheck(after: string, get: NativeOperation): NativeRoute[] {
  const path = `/checks/{uuid}${after}`
  return [
    { path, methods: { GET: get } },
    { path: `/checks/{unique_key}${after}`, methods: { GET: get }, sameAs: path },
  ]
}

export const nativeRoutes: readonly NativeRoute[] = [
  { path: '/checks', methods: { GET: listChecks, POST: createCheck } },
  { path: '/checks/{uuid}', methods: { GET: getCheck, PATCH: patchCheck, DELETE: deleteCheck } },
  { path: '/checks/{unique_key}', methods: { GET: getCheck }, sameAs: '/checks/{uuid}' },
  { path: '/checks/{uuid}/runs', methods: { GET: listRuns } },
  { path: '/checks/{unique_key}/runs', methods: { GET: listRuns }, sameAs: '/checks/{uuid}/runs' },
  { path: '/checks/{uuid}/findings', methods: { GET: listFindings } },
  {
    path: '/checks/{unique_key}/findings',
    methods: { GET: listFindings },
    sameAs: '/checks/{uuid}/findings',
  },
  { path: '/checks:batch', methods: { POST: batchChecks } },
  ...ofCheck('/pings', listPings),
  ...ofCheck('/pings/{n}', getPing),
  ...ofCheck('/pings/{n}/body', getPingBody),
  ...ofCheck('/flips', listFlips),
  ...ofCheck('/badges', getBadges),
  { path: '/badges', methods: { GET: listBadges } },
  { path: '/tags', methods: { GET: listTags } },
  { path: '/checks/{uuid}/pause', methods: { POST: pauseCheck } },
  { path: '/checks/{uuid}/resume', methods: { POST: resumeCheck } },
  { path: '/checks/{uuid}/copy', methods: { POST: copyCheck } },
  { path: '/checks/{uuid}/move', methods: { POST: moveCheck } },
  { path: '/checks/{uuid}/clear', methods: { POST: clearCheck } },
  { path: '/checks/{uuid}/push-tokens', methods: { GET: getPushTokens, PUT: putPushTokens } },
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
  { path: '/log', methods: { GET: getLog } },
  { path: '/events', methods: { GET: streamEvents } },
  { path: '/event-webhooks', methods: { GET: listEventWebhooks, POST: createEventWebhook } },
  {
    path: '/event-webhooks/{uuid}',
    methods: { GET: getEventWebhook, PATCH: patchEventWebhook, DELETE: deleteEventWebhook },
  },
  { path: '/event-webhooks/{uuid}/secret', methods: { POST: rotateEventWebhookSecret } },
  { path: '/event-webhooks/{uuid}/test', methods: { POST: testEventWebhook } },
  { path: '/event-webhooks/{uuid}/attempts', methods: { GET: listEventWebhookAttempts } },
  { path: '/incidents', methods: { GET: listIncidents } },
  { path: '/incidents/acknowledge', methods: { POST: acknowledgeSeveral } },
  { path: '/incidents/{id}', methods: { GET: getIncident } },
  {
    path: '/incidents/{id}/acknowledge',
    methods: { POST: acknowledgeIncident, DELETE: unacknowledgeIncident },
  },
  { path: '/incidents/{id}/notes', methods: { POST: addIncidentNote } },
  { path: '/config', methods: { GET: exportProject } },
  { path: '/config/schema', methods: { GET: getConfigSchema } },
  { path: '/config:plan', methods: { POST: planProject } },
  { path: '/config:apply', methods: { POST: applyProject } },
  { path: '/projects', methods: { GET: listProjects, POST: createProject } },
  { path: '/projects/{uuid}', methods: { GET: getProject, PATCH: patchProject, DELETE: deleteProject } },
  { path: '/projects/{uuid}/transfer', methods: { POST: offerProject, DELETE: endProjectOffer } },
  { path: '/projects/{uuid}/transfer/accept', methods: { POST: acceptProject } },
  { path: '/projects/{uuid}/leave', methods: { POST: leaveProject } },
  { path: '/keys', methods: { GET: listKeys, POST: createKey } },
  { path: '/keys/{hint}', methods: { DELETE: revokeKey } },
  { path: '/tokens', methods: { GET: listTokens, POST: createToken } },
  { path: '/tokens/{uuid}', methods: { DELETE: revokeToken } },
  { path: '/members', methods: { GET: listMembers } },
  { path: '/members/{uuid}', methods: { GET: getMember, PATCH: patchMember, DELETE: removeMember } },
  { path: '/invitations', methods: { GET: listInvitations, POST: createInvitation } },
  { path: '/invitations/{uuid}', methods: { DELETE: withdrawInvitation } },
  { path: '/me', methods: { GET: getMe, PATCH: patchMe } },
  { path: '/me/tokens', methods: { GET: listOwnTokens } },
  { path: '/me/tokens/{uuid}', methods: { DELETE: revokeOwnToken } },
  { path: '/channel-kinds', methods: { GET: listKinds } },
  { path: '/channels', methods: { GET: listChannels, POST: createChannel } },
  { path: '/channels/{uuid}', methods: { GET: getChannel, PATCH: patchChannel, DELETE: deleteChannel } },
  { path: '/channels/{uuid}/checks', methods: { GET: getChannelChecks, PUT: putChannelChecks } },
  { path: '/channels:test', methods: { POST: testNewChannel } },
  { path: '/channels/{uuid}/test', methods: { POST: testChannel } },
  { path: '/channels/{uuid}/confirmation', methods: { POST: requestConfirmation } },
  { path: '/channels/{uuid}/notifications', methods: { GET: listChannelNotifications } },
]
