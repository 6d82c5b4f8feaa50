/**
 * Every page and every action of the web application. Whoever reads this table knows what people can do. A POST
 * needs a CSRF token; a route that is not open needs somebody who is signed in; the rest each handler asks of
 * access.ts.
 */

import { showCloseAccount, submitCloseAccount } from './accounts/close.js'
import { showConfirmIdentity, submitConfirmIdentity } from './accounts/confirm.js'
import { showConfirmEmail, showEmail, submitConfirmEmail, submitEmail } from './accounts/email.js'
import { showFirstAccount, submitFirstAccount } from './accounts/first-account.js'
import { acceptInvitation, showInvitation } from './accounts/invitation.js'
import { askForPasskey, submitPasskeyStep } from './accounts/passkey-step.js'
import { offerPasskey, removePasskey, showAddPasskey, submitPasskey } from './accounts/passkeys.js'
import { showPassword, submitPassword } from './accounts/password.js'
import { showProfile, submitPreferences } from './accounts/profile.js'
import { showSecondStep, submitSecondStep } from './accounts/second-step.js'
import { revokeOtherSessions, revokeSession } from './accounts/sessions.js'
import { showSignIn, submitSignIn } from './accounts/sign-in.js'
import { sendSignInLinkTo, showSignInLink, useSignInLink } from './accounts/sign-in-link.js'
import { signOut } from './accounts/sign-out.js'
import { showSignUp, submitSignUp } from './accounts/sign-up.js'
import { showSignUpLink, submitSignUpLink } from './accounts/sign-up-link.js'
import { removeTotp, showTotp, submitTotp } from './accounts/totp.js'
import type { Handler } from './context.js'
import { addIntegration, showAddIntegration } from './integrations/add.js'
import { assignIntegration } from './integrations/checks.js'
import { editIntegration, showEditIntegration } from './integrations/edit.js'
import { setIntegrationEnabled } from './integrations/enabled.js'
import { listIntegrations } from './integrations/list.js'
import { removeIntegration } from './integrations/remove.js'
import { showIntegration } from './integrations/show.js'
import { testIntegration } from './integrations/test.js'
import { showAddProject, submitAddProject } from './projects/add.js'
import { submitNewKey } from './projects/create-key.js'
import { submitDeletedProject } from './projects/delete.js'
import { submitInvitation } from './projects/invite.js'
import { submitMemberRole } from './projects/member-role.js'
import { leaveProject, submitRemovedMember } from './projects/remove-member.js'
import { submitProjectName } from './projects/rename.js'
import { submitRevokedKey } from './projects/revoke-key.js'
import { showProjectSettings } from './projects/settings.js'
import { acceptOffer, endOffer, submitOffer } from './projects/transfer.js'
import { withdrawInvitation } from './projects/withdraw-invitation.js'

export interface WebRoute {
  method: 'GET' | 'POST'
  /** Counts from SITE_ROOT. `:uuid` and the like are parameters. */
  path: string
  handle: Handler
  /** Whether visitors who are not signed in may come. */
  open?: boolean
}

const get = (path: string, handle: Handler): WebRoute => ({ method: 'GET', path, handle })
const post = (path: string, handle: Handler): WebRoute => ({ method: 'POST', path, handle })
const open = (route: WebRoute): WebRoute => ({ ...route, open: true })

export const routes: readonly WebRoute[] = [
  // Getting in and out
  open(get('/accounts/login/', showSignIn)),
  open(post('/accounts/login/', submitSignIn)),
  open(post('/accounts/login/link/', sendSignInLinkTo)),
  open(get('/accounts/link/:token/', showSignInLink)),
  open(post('/accounts/link/:token/', useSignInLink)),
  open(get('/accounts/login/second/', showSecondStep)),
  open(post('/accounts/login/second/', submitSecondStep)),
  open(post('/accounts/login/passkey/options/', askForPasskey)),
  open(post('/accounts/login/passkey/', submitPasskeyStep)),
  open(get('/accounts/signup/', showSignUp)),
  open(post('/accounts/signup/', submitSignUp)),
  open(get('/accounts/signup/:token/', showSignUpLink)),
  open(post('/accounts/signup/:token/', submitSignUpLink)),
  open(get('/accounts/first/:token/', showFirstAccount)),
  open(post('/accounts/first/:token/', submitFirstAccount)),
  open(post('/accounts/logout/', signOut)),
  open(get('/accounts/invitations/:token/', showInvitation)),
  open(post('/accounts/invitations/:token/', acceptInvitation)),

  // One's own account
  get('/accounts/profile/', showProfile),
  post('/accounts/profile/', submitPreferences),
  get('/accounts/confirm/', showConfirmIdentity),
  post('/accounts/confirm/', submitConfirmIdentity),
  get('/accounts/password/', showPassword),
  post('/accounts/password/', submitPassword),
  get('/accounts/email/', showEmail),
  post('/accounts/email/', submitEmail),
  get('/accounts/email/confirm/:token/', showConfirmEmail),
  post('/accounts/email/confirm/:token/', submitConfirmEmail),
  get('/accounts/totp/', showTotp),
  post('/accounts/totp/', submitTotp),
  post('/accounts/totp/remove/', removeTotp),
  get('/accounts/passkeys/add/', showAddPasskey),
  post('/accounts/passkeys/options/', offerPasskey),
  post('/accounts/passkeys/add/', submitPasskey),
  post('/accounts/passkeys/:passkey/remove/', removePasskey),
  post('/accounts/sessions/revoke/', revokeOtherSessions),
  post('/accounts/sessions/:session/revoke/', revokeSession),
  get('/accounts/close/', showCloseAccount),
  post('/accounts/close/', submitCloseAccount),

  // Projects
  get('/projects/add/', showAddProject),
  post('/projects/add/', submitAddProject),
  get('/projects/:uuid/settings/', showProjectSettings),
  post('/projects/:uuid/name/', submitProjectName),
  post('/projects/:uuid/keys/add/', submitNewKey),
  post('/projects/:uuid/keys/revoke/', submitRevokedKey),
  post('/projects/:uuid/invitations/add/', submitInvitation),
  post('/projects/:uuid/invitations/:invitation/withdraw/', withdrawInvitation),
  post('/projects/:uuid/members/:member/role/', submitMemberRole),
  post('/projects/:uuid/members/:member/remove/', submitRemovedMember),
  post('/projects/:uuid/leave/', leaveProject),
  post('/projects/:uuid/transfer/', submitOffer),
  post('/projects/:uuid/transfer/cancel/', endOffer),
  post('/projects/:uuid/transfer/accept/', acceptOffer),
  post('/projects/:uuid/remove/', submitDeletedProject),

  // Who is told
  get('/projects/:uuid/integrations/', listIntegrations),
  get('/projects/:uuid/integrations/add/:kind/', showAddIntegration),
  post('/projects/:uuid/integrations/add/:kind/', addIntegration),
  get('/integrations/:uuid/', showIntegration),
  get('/integrations/:uuid/edit/', showEditIntegration),
  post('/integrations/:uuid/edit/', editIntegration),
  post('/integrations/:uuid/test/', testIntegration),
  post('/integrations/:uuid/enabled/', setIntegrationEnabled),
  post('/integrations/:uuid/checks/', assignIntegration),
  post('/integrations/:uuid/remove/', removeIntegration),
]
