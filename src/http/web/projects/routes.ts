/** The pages and actions of a project as a whole: a part of ../routes.ts. */

import { showBadges } from '../checks/badges.js'
import { submitUndo } from '../checks/undo.js'
import { showChanges } from '../events/changes.js'
import { form, get, live, post, type WebRoute } from '../route.js'
import { showAddProject, submitAddProject } from './add.js'
import { submitNewKey } from './create-key.js'
import { submitDeletedProject } from './delete.js'
import { showDependencies } from './dependencies.js'
import { submitFlipsShape } from './flips.js'
import { submitInvitation } from './invite.js'
import { submitMemberRole } from './member-role.js'
import { showProjectLog, streamProjectLog } from './project-log.js'
import { submitProtocols } from './protocols.js'
import { leaveProject, submitRemovedMember } from './remove-member.js'
import { submitProjectName } from './rename.js'
import { submitRevokedKey } from './revoke-key.js'
import { showProjectSettings } from './settings.js'
import { revokeProjectToken, showAddProjectToken, submitProjectToken } from './tokens.js'
import { acceptOffer, endOffer, submitOffer } from './transfer.js'
import { sendProjectWall, showProjectWall } from './wall.js'
import {
  removeWebhook,
  rotateWebhookSecret,
  showAddWebhook,
  showWebhook,
  submitNewWebhook,
  submitWebhook,
  switchWebhook,
  testWebhook,
} from './webhooks.js'
import { withdrawInvitation } from './withdraw-invitation.js'

export const projectRoutes: readonly WebRoute[] = [
  ...form('/projects/add/', showAddProject, submitAddProject),
  get('/projects/:uuid/settings/', showProjectSettings),
  post('/projects/:uuid/name/', submitProjectName),
  post('/projects/:uuid/flips/', submitFlipsShape),
  post('/projects/:uuid/protocols/', submitProtocols),
  post('/projects/:uuid/keys/add/', submitNewKey),
  post('/projects/:uuid/keys/revoke/', submitRevokedKey),
  ...form('/projects/:uuid/tokens/add/', showAddProjectToken, submitProjectToken),
  post('/projects/:uuid/tokens/:apiToken/revoke/', revokeProjectToken),
  ...form('/projects/:uuid/webhooks/add/', showAddWebhook, submitNewWebhook),
  ...form('/projects/:uuid/webhooks/:webhook/', showWebhook, submitWebhook),
  post('/projects/:uuid/webhooks/:webhook/enabled/', switchWebhook),
  post('/projects/:uuid/webhooks/:webhook/secret/', rotateWebhookSecret),
  post('/projects/:uuid/webhooks/:webhook/test/', testWebhook),
  post('/projects/:uuid/webhooks/:webhook/remove/', removeWebhook),
  post('/projects/:uuid/invitations/add/', submitInvitation),
  post('/projects/:uuid/invitations/:invitation/withdraw/', withdrawInvitation),
  post('/projects/:uuid/members/:member/role/', submitMemberRole),
  post('/projects/:uuid/members/:member/remove/', submitRemovedMember),
  post('/projects/:uuid/leave/', leaveProject),
  post('/projects/:uuid/transfer/', submitOffer),
  post('/projects/:uuid/transfer/cancel/', endOffer),
  post('/projects/:uuid/transfer/accept/', acceptOffer),
  post('/projects/:uuid/remove/', submitDeletedProject),
  get('/projects/:uuid/dependencies/', showDependencies),
  post('/projects/:uuid/undo/:undo/', submitUndo),
  get('/projects/:uuid/log/', showProjectLog),
  live('/projects/:uuid/log/live/', streamProjectLog),
  get('/projects/:uuid/changes/', showChanges),
  get('/projects/:uuid/wall/', showProjectWall),
  get('/projects/:uuid/wall/checks/', sendProjectWall),
  get('/projects/:uuid/badges/', showBadges),
]
