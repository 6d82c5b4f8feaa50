/** Records in the security log what programs change about who may do what, as http/web/security.ts does for people. */
import type { SecurityEvent } from '../../../lib/log/security-events.js'
import type { AppDeps } from '../../deps.js'
import type { NativeAnswer } from '../native-operation.js'
import type { Caller } from './caller.js'

/** The operations whose success is logged. */
const ON_SUCCESS: Readonly<Record<string, SecurityEvent>> = {
  createProject: 'project-created',
  deleteProject: 'project-deleted',
  createKey: 'key-created',
  revokeKey: 'key-revoked',
  createToken: 'token-created',
  revokeToken: 'token-revoked',
  revokeOwnToken: 'token-revoked',
  createInvitation: 'member-invited',
  withdrawInvitation: 'invitation-withdrawn',
  patchMember: 'role-changed',
  removeMember: 'member-removed',
  leaveProject: 'member-left',
  offerProject: 'transfer-offered',
  endProjectOffer: 'transfer-ended',
  acceptProject: 'transfer-accepted',
  createChannel: 'channel-created',
  patchChannel: 'channel-changed',
  deleteChannel: 'channel-deleted',
  createEventWebhook: 'webhook-created',
  patchEventWebhook: 'webhook-changed',
  rotateEventWebhookSecret: 'webhook-changed',
  deleteEventWebhook: 'webhook-deleted',
  createPolicy: 'policy-created',
  patchPolicy: 'policy-changed',
  deletePolicy: 'policy-deleted',
}

interface Answered {
  caller: Caller
  /** The ID of the operation. */
  operation: string
  /** The method and the path of the route. */
  request: string
  params: Readonly<Record<string, string>>
  answer: NativeAnswer
}

/** Records an operation that succeeded if it is in the list, with the person or the token or key that called it. */
export function noteSuccess({ noteSecurity }: AppDeps, answered: Answered): void {
  const { caller, operation, request, params, answer } = answered
  const event = ON_SUCCESS[operation]
  // A channel of some kinds is not created: the answer says where a person finishes it.
  if (!event || (event === 'channel-created' && answer.status !== 201)) return
  const { kind, id, address } = caller.actor
  noteSecurity(event, {
    ...(address === null ? {} : { address }),
    account: caller.personId === null ? undefined : caller.author,
    request,
    by: `${kind} ${id}`,
    ...(params.uuid === undefined ? {} : { uuid: params.uuid }),
  })
}
