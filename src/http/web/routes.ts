/**
 * Every page and every action of the web application. To add one, write its handler in the folder of its noun and add a
 * line here. A POST requires a CSRF token unless its address is signed; a route that is not open requires a user who is
 * signed in; each handler checks all other rights with access.ts.
 */

import { showAddChannel, submitAddChannel } from './channels/add.js'
import { assignChannel } from './channels/checks.js'
import { chooseKind } from './channels/choose.js'
import { connectChannel, returnFromService, returnWithFragment } from './channels/connect.js'
import { showEditChannel, submitEditChannel } from './channels/edit.js'
import { setChannelEnabled } from './channels/enabled.js'
import { showFinish, submitFinish } from './channels/finish.js'
import { hearService } from './channels/hook.js'
import { acceptInvite, showInvite } from './channels/invite.js'
import { listChannels, streamChannels } from './channels/list.js'
import { removeChannel } from './channels/remove.js'
import { showChannel, streamChannel } from './channels/show.js'
import { sendTest } from './channels/test.js'
import { showUnsubscribe, submitUnsubscribe } from './channels/unsubscribe.js'
import { askConfirmation, confirmChannel, sendConfirmation } from './channels/verify.js'
import { add as addCheck, showAdd as showAddCheck } from './checks/add.js'
import { changeMany } from './checks/bulk.js'
import { editMany } from './checks/bulk-edit/edit-many.js'
import { switchChannel } from './checks/channel.js'
import { askClear, clear } from './checks/clear-events.js'
import { uncloak } from './checks/cloaked.js'
import { copy as copyCheck } from './checks/copy.js'
import { showCrontab, submitCrontab } from './checks/crontab.js'
import { showDetails } from './checks/details/details.js'
import { streamDetails } from './checks/details/details-live.js'
import { edit as editCheck, showEdit as showEditCheck } from './checks/edit.js'
import { applyFinding, askFinding } from './checks/finding.js'
import { listChecks } from './checks/list/list.js'
import { streamList } from './checks/list/list-live.js'
import { pause as pauseCheck } from './checks/pause.js'
import { showPreview } from './checks/preview.js'
import { countAllProblems, countProblems } from './checks/problems.js'
import { showPushTokens, submitPushTokens } from './checks/push-tokens.js'
import { askRemove as askRemoveCheck, remove as removeCheck } from './checks/remove.js'
import { resume as resumeCheck } from './checks/resume.js'
import { chooseReceivers } from './checks/setup/receivers.js'
import { showSetup } from './checks/setup/shown.js'
import { testReceivers } from './checks/setup/test.js'
import { showTimeline } from './checks/timeline.js'
import { askTransfer as askTransferCheck, transfer as transferCheck } from './checks/transfer.js'
import { showSampleMail, showSampleMails } from './dev/mails.js'
import { showSampleMessages } from './dev/messages.js'
import { showApiReference } from './docs/api-reference.js'
import { API_REFERENCES } from './docs/api-references.js'
import { searchDocs, showCron, showDoc, showDocs } from './docs/docs.js'
import { acknowledge } from './incidents/acknowledge.js'
import { submitNote, unacknowledge } from './incidents/change.js'
import { actByLink, askByLink } from './incidents/link.js'
import { listIncidents, streamIncidents } from './incidents/list.js'
import { addPolicy, showAddPolicy } from './incidents/policies/add.js'
import { editPolicy, showEditPolicy } from './incidents/policies/edit.js'
import { listPolicies } from './incidents/policies/list.js'
import { previewPolicy } from './incidents/policies/preview.js'
import { askRemovePolicy, removePolicy } from './incidents/policies/remove.js'
import { showIncident, streamIncident } from './incidents/show.js'
import { showSearch, showSearchOptions } from './instance/search.js'
import { streamProblems } from './live/live-problems.js'
import { showCloseAccount, submitCloseAccount } from './people/close.js'
import { showConfirmIdentity, submitConfirmIdentity } from './people/confirm.js'
import { showConfirmEmail, showEmail, submitConfirmEmail, submitEmail } from './people/email.js'
import { removeIdentity } from './people/identities.js'
import { offerPasskey, removePasskey, showAddPasskey, submitPasskey } from './people/passkeys.js'
import { showPassword, submitPassword } from './people/password.js'
import { redirectToReports, showProfile, submitPreferences, submitReportWishes } from './people/profile.js'
import { showRecoveryCodes, submitRecoveryCodes } from './people/recovery-codes.js'
import { showReview, submitReview } from './people/review.js'
import { showSecondStep, submitSecondStep } from './people/second-step.js'
import { revokeOtherSessions, revokeSession } from './people/sessions.js'
import { showFirstAccount, submitFirstAccount } from './people/sign-in/first-account.js'
import { finishOpenId, startOpenId } from './people/sign-in/openid.js'
import { askForPasskey, submitPasskeyStep } from './people/sign-in/passkey-step.js'
import { submitRecoveryStep } from './people/sign-in/recovery-step.js'
import { showSignIn, submitSignIn } from './people/sign-in/sign-in.js'
import { sendSignInLinkTo, showSignInLink, useSignInLink } from './people/sign-in/sign-in-link.js'
import { signOut } from './people/sign-in/sign-out.js'
import { showSignUp, submitSignUp } from './people/sign-in/sign-up.js'
import { showSignUpLink, submitSignUpLink } from './people/sign-in/sign-up-link.js'
import { revokeOwnToken, showAddOwnToken, submitOwnToken } from './people/tokens.js'
import { removeTotp, showTotp, submitTotp } from './people/totp.js'
import { showUnsubscribeReports, submitUnsubscribeReports } from './people/unsubscribe.js'
import { showCompare } from './pings/compare.js'
import { showLog, streamLog } from './pings/log.js'
import { downloadBody, showLastPing, showPing } from './pings/ping.js'
import { pingNow } from './pings/ping-now.js'
import { acceptInvitation, showInvitation } from './projects/invitation.js'
import { showHome, showOverview } from './projects/overview.js'
import { streamOverview } from './projects/overview-live.js'
import { projectRoutes } from './projects/routes.js'
import { showWall } from './projects/wall.js'
import { form, get, joins, live, open, post, setsUp, signed, type WebRoute } from './route.js'
import { addSilence, showAddSilence } from './silences/add.js'
import { editSilence, showEditSilence } from './silences/edit.js'
import { endSilence } from './silences/end.js'
import { listSilences, streamSilences } from './silences/list.js'
import { previewWindows } from './silences/preview.js'
import { snooze } from './silences/snooze.js'

export const routes: readonly WebRoute[] = [
  // Signing in and out
  ...form('/accounts/login/', showSignIn, submitSignIn).map(open),
  open(post('/accounts/login/link/', sendSignInLinkTo)),
  ...form('/accounts/link/:token/', showSignInLink, useSignInLink).map(open),
  ...form('/accounts/login/second/', showSecondStep, submitSecondStep).map(open),
  open(post('/accounts/login/passkey/options/', askForPasskey)),
  open(post('/accounts/login/passkey/', submitPasskeyStep)),
  open(post('/accounts/login/recovery/', submitRecoveryStep)),
  open(get('/accounts/openid/', startOpenId)),
  open(get('/accounts/openid/callback/', finishOpenId)),
  ...form('/accounts/signup/', showSignUp, submitSignUp).map(open),
  ...form('/accounts/signup/:token/', showSignUpLink, submitSignUpLink).map(open),
  ...form('/accounts/first/:token/', showFirstAccount, submitFirstAccount).map(open),
  open(post('/accounts/logout/', signOut)),
  ...form('/accounts/invitations/:token/', showInvitation, acceptInvitation).map(joins),
  ...form('/accounts/invitations/:token/:proof/', showInvitation, acceptInvitation).map(joins),

  // The user's own account
  ...form('/accounts/profile/', showProfile, submitPreferences),
  post('/accounts/reports/', submitReportWishes),
  get('/accounts/profile/notifications/', redirectToReports),
  ...form('/accounts/:user/unsubscribe/:signature/', showUnsubscribeReports, submitUnsubscribeReports).map(
    signed,
  ),
  // As in e-mails of Healthchecks, from before an import
  ...form('/accounts/unsubscribe_reports/:signed/', showUnsubscribeReports, submitUnsubscribeReports).map(
    signed,
  ),
  ...form('/accounts/confirm/', showConfirmIdentity, submitConfirmIdentity).map(setsUp),
  ...form('/accounts/password/', showPassword, submitPassword),
  ...form('/accounts/email/', showEmail, submitEmail),
  ...form('/accounts/email/confirm/:token/', showConfirmEmail, submitConfirmEmail),
  ...form('/accounts/review/', showReview, submitReview),
  post('/accounts/identities/remove/', removeIdentity),
  ...form('/accounts/totp/', showTotp, submitTotp).map(setsUp),
  post('/accounts/totp/remove/', removeTotp),
  ...form('/accounts/recovery-codes/', showRecoveryCodes, submitRecoveryCodes),
  setsUp(get('/accounts/passkeys/add/', showAddPasskey)),
  setsUp(post('/accounts/passkeys/options/', offerPasskey)),
  setsUp(post('/accounts/passkeys/add/', submitPasskey)),
  post('/accounts/passkeys/:passkey/remove/', removePasskey),
  post('/accounts/sessions/revoke/', revokeOtherSessions),
  post('/accounts/sessions/:session/revoke/', revokeSession),
  ...form('/accounts/tokens/add/', showAddOwnToken, submitOwnToken),
  post('/accounts/tokens/:apiToken/revoke/', revokeOwnToken),
  ...form('/accounts/close/', showCloseAccount, submitCloseAccount),

  ...projectRoutes,

  // Checks
  get('/', showHome),
  get('/projects/', showOverview),
  live('/live/', streamOverview),
  get('/problems/', countAllProblems),
  live('/problems/live/', streamProblems),
  get('/projects/:uuid/problems/', countProblems),
  get('/checks/', listChecks),
  live('/checks/live/', streamList),
  get('/projects/:uuid/checks/', listChecks),
  live('/projects/:uuid/checks/live/', streamList),
  post('/projects/:uuid/checks/bulk/', changeMany),
  post('/projects/:uuid/checks/bulk/edit/', editMany),
  post('/checks/bulk/edit/', editMany),
  ...form('/projects/:uuid/checks/add/', showAddCheck, addCheck),
  ...form('/projects/:uuid/checks/crontab/', showCrontab, submitCrontab),
  get('/checks/preview/', showPreview),
  get('/checks/:uuid/details/', showDetails),
  live('/checks/:uuid/live/', streamDetails),
  get('/checks/:uuid/log/', showLog),
  live('/checks/:uuid/log/live/', streamLog),
  get('/checks/:uuid/compare/', showCompare),
  get('/cloaked/:key/', uncloak),
  get('/checks/:uuid/last_ping/', showLastPing),
  get('/checks/:uuid/pings/:n/', showPing),
  get('/checks/:uuid/pings/:n/body/', downloadBody),
  ...form('/checks/:uuid/edit/', showEditCheck, editCheck),
  ...form('/checks/:uuid/findings/:code/', askFinding, applyFinding),
  post('/checks/:uuid/ping/', pingNow),
  post('/checks/:uuid/pause/', pauseCheck),
  post('/checks/:uuid/resume/', resumeCheck),
  post('/checks/:uuid/snooze/', snooze),
  post('/checks/:uuid/channels/:channel/enabled', switchChannel),
  post('/checks/:uuid/setup/', showSetup),
  post('/checks/:uuid/setup/receivers/', chooseReceivers),
  post('/checks/:uuid/setup/test/', testReceivers),
  post('/checks/:uuid/copy/', copyCheck),
  ...form('/checks/:uuid/transfer/', askTransferCheck, transferCheck),
  ...form('/checks/:uuid/push-tokens/', showPushTokens, submitPushTokens),
  ...form('/checks/:uuid/clear_events/', askClear, clear),
  ...form('/checks/:uuid/remove/', askRemoveCheck, removeCheck),

  // Silences
  get('/projects/:uuid/silences/', listSilences),
  live('/projects/:uuid/silences/live/', streamSilences),
  ...form('/projects/:uuid/silences/add/', showAddSilence, addSilence),
  ...form('/projects/:uuid/silences/:silence/edit/', showEditSilence, editSilence),
  post('/projects/:uuid/silences/:silence/end/', endSilence),
  get('/silences/preview/', previewWindows),

  // Incidents
  get('/timeline/', showTimeline),
  get('/incidents/', listIncidents),
  live('/incidents/live/', streamIncidents),
  post('/incidents/acknowledge/', acknowledge),
  get('/projects/:uuid/timeline/', showTimeline),
  get('/projects/:uuid/incidents/', listIncidents),
  live('/projects/:uuid/incidents/live/', streamIncidents),
  get('/projects/:uuid/incidents/:id/', showIncident),
  live('/projects/:uuid/incidents/:id/live/', streamIncident),
  post('/projects/:uuid/incidents/:id/unacknowledge/', unacknowledge),
  post('/projects/:uuid/incidents/:id/notes/', submitNote),

  // Policies
  get('/projects/:uuid/policies/', listPolicies),
  get('/projects/:uuid/policies/preview/', previewPolicy),
  ...form('/projects/:uuid/policies/add/', showAddPolicy, addPolicy),
  ...form('/projects/:uuid/policies/:policy/edit/', showEditPolicy, editPolicy),
  ...form('/projects/:uuid/policies/:policy/remove/', askRemovePolicy, removePolicy),

  // Channels; pages call them integrations
  get('/projects/:uuid/integrations/', listChannels),
  live('/projects/:uuid/integrations/live/', streamChannels),
  get('/projects/:uuid/integrations/add/', chooseKind),
  ...form('/projects/:uuid/integrations/add/:kind/', showAddChannel, submitAddChannel),
  get('/projects/:uuid/integrations/add/:kind/connect/', connectChannel),
  ...form('/projects/:uuid/integrations/add/:kind/finish/', showFinish, submitFinish),
  get('/integrations/callback/:kind/', returnFromService),
  get('/integrations/callback/:kind/:state/', returnFromService),
  post('/integrations/callback/:kind/:state/', returnWithFragment),
  ...form('/integrations/invite/:invite/', showInvite, acceptInvite),
  signed(post('/integrations/hook/:kind/', hearService)),
  get('/integrations/:uuid/', showChannel),
  live('/integrations/:uuid/live/', streamChannel),
  ...form('/integrations/:uuid/edit/', showEditChannel, submitEditChannel),
  post('/integrations/:uuid/test/', sendTest),
  post('/integrations/:uuid/enabled/', setChannelEnabled),
  post('/integrations/:uuid/checks/', assignChannel),
  post('/integrations/:uuid/remove/', removeChannel),
  ...form('/integrations/:uuid/verify/:signature/', askConfirmation, confirmChannel).map(signed),
  post('/integrations/:uuid/verify/', sendConfirmation),
  ...form('/integrations/:uuid/unsub/:signature/', showUnsubscribe, submitUnsubscribe).map(signed),
  ...form('/integrations/:uuid/incidents/:id/:signature/', askByLink, actByLink).map(signed),
  ...form('/integrations/:uuid/messages/:message/:signature/', askByLink, actByLink).map(signed),

  // The search of the whole site
  get('/search/', showSearch),
  get('/search/options/', showSearchOptions),

  // The wall
  open(get('/tv/', showWall)),

  // For developers
  open(get('/dev/mails/', showSampleMails)),
  open(get('/dev/messages/', showSampleMessages)),
  open(get('/dev/mails/:name/', showSampleMail)),

  // Documents
  open(get('/docs/', showDocs)),
  open(get('/docs/search/', searchDocs)),
  open(get('/docs/cron/', showCron)),
  ...API_REFERENCES.flatMap(reference =>
    ['', '/'].map(slash => open(get(`/docs/${reference.path}${slash}`, showApiReference(reference)))),
  ),
  open(get('/docs/:name/', showDoc)),
  open(get('/docs/:folder/:name/', showDoc)),
]
