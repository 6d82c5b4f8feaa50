/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */

import * as alerts from './alerts/alerts.js'
import * as deliveryStatus from './alerts/delivery-status.js'
import * as digests from './alerts/digest-facts.js'
import * as due from './alerts/due-channels.js'
import * as goingDown from './alerts/going-down.js'
import * as claims from './alerts/release-claims.js'
import * as settling from './alerts/settle-message.js'
import * as taking from './alerts/take-messages.js'
import * as changeChannels from './channels/change-channel.js'
import * as channelPages from './channels/channel-pages.js'
import * as channels from './channels/channels.js'
import * as checkChannels from './channels/check-channels.js'
import * as noting from './channels/note-test.js'
import * as recipients from './channels/recipients.js'
import * as showing from './channels/show-channels.js'
import * as badges from './checks/badges.js'
import * as changeChecks from './checks/change-checks.js'
import * as checkStamps from './checks/check-fingerprints.js'
import * as checkList from './checks/check-list.js'
import * as checkPage from './checks/check-page.js'
import * as copying from './checks/copy-check.js'
import * as downs from './checks/down-checks.js'
import * as findCheck from './checks/find-check.js'
import * as flipLog from './checks/flip-log.js'
import * as moving from './checks/move-check.js'
import * as showChecks from './checks/show-checks.js'
import * as tagging from './checks/tag-checks.js'
import * as timeline from './checks/timeline.js'
import * as wrapFlips from './checks/wrap-flips.js'
import * as beating from './instance/beat.js'
import * as instance from './instance/instance.js'
import * as metrics from './instance/metrics.js'
import * as pruning from './instance/prune.js'
import * as zoneData from './instance/zone-data.js'
import * as access from './people/access.js'
import * as accounts from './people/accounts.js'
import * as credentials from './people/credentials.js'
import * as disabling from './people/disable-user.js'
import * as identities from './people/identities.js'
import * as mails from './people/mails.js'
import * as passkeys from './people/passkeys.js'
import * as proving from './people/prove-address.js'
import * as quotas from './people/quotas.js'
import * as rateLimits from './people/rate-limits.js'
import * as recoveryCodes from './people/recovery-codes.js'
import * as sessions from './people/sessions.js'
import * as tokens from './people/tokens.js'
import * as users from './people/users.js'
import * as clearing from './pings/clear-events.js'
import * as keywords from './pings/keywords.js'
import * as pingDetails from './pings/ping-details.js'
import * as pingLog from './pings/ping-log.js'
import * as pings from './pings/pings.js'
import * as probing from './pings/probe-pings.js'
import * as removals from './pings/removals.js'
import * as uploads from './pings/uploads.js'
import * as apiKeys from './projects/api-keys.js'
import * as deleting from './projects/delete-project.js'
import * as invitations from './projects/invitations.js'
import * as members from './projects/members.js'
import * as projectStamps from './projects/project-fingerprint.js'
import * as projectLogs from './projects/project-log.js'
import * as overview from './projects/project-overview.js'
import * as projects from './projects/projects.js'
import * as transfers from './projects/transfers.js'
import * as reportFacts from './reports/report-facts.js'
import * as reports from './reports/reports.js'

export const reads = {
  addressProvenAt: proving.addressProvenAt,
  alertFacts: alerts.alertFacts,
  assignableChecks: channelPages.assignableChecks,
  authenticate: apiKeys.authenticate,
  badgeChecks: badges.badgeChecks,
  badgeTags: badges.badgeTags,
  channelAccess: access.channelAccess,
  channelHealth: projectStamps.channelHealth,
  channelLog: channelPages.channelLog,
  channelsPage: channelPages.channelsPage,
  checkAccess: access.checkAccess,
  checkBadge: badges.checkBadge,
  checkFacts: checkPage.checkFacts,
  checkFingerprints: checkStamps.checkFingerprints,
  checkTimeline: timeline.checkTimeline,
  digestFacts: digests.digestFacts,
  downChecks: downs.downChecks,
  claimants: claims.claimants,
  dueChannels: due.dueChannels,
  dueNags: reports.dueNags,
  dueReports: reports.dueReports,
  eventFingerprint: checkStamps.eventFingerprint,
  findByIdentity: identities.findByIdentity,
  findChannel: channels.findChannel,
  findInvitation: invitations.findInvitation,
  findPasskeys: passkeys.findPasskeys,
  findProject: projects.findProject,
  findProof: invitations.findProof,
  findSession: sessions.findSession,
  findToken: tokens.findToken,
  findUser: users.findUser,
  findUserByUuid: users.findUserByUuid,
  findChecks: checkList.findChecks,
  hasUsers: users.hasUsers,
  instanceMetrics: metrics.instanceMetrics,
  instanceState: instance.instanceState,
  invitablePeople: members.invitablePeople,
  listApiKeys: apiKeys.listApiKeys,
  listChannels: channels.listChannels,
  listChecks: checkList.listChecks,
  listIdentities: identities.listIdentities,
  listInvitations: invitations.listInvitations,
  listMembers: members.listMembers,
  listPasskeys: passkeys.listPasskeys,
  listProjects: projects.listProjects,
  listProjectsOf: access.listProjectsOf,
  listSessions: sessions.listSessions,
  listUsers: users.listUsers,
  listedChecks: checkList.listedChecks,
  looksIntoMail: keywords.looksIntoMail,
  nextObjectTask: uploads.nextObjectTask,
  nextReportWork: reports.nextReportWork,
  nextWake: goingDown.nextWake,
  notifiedChannel: deliveryStatus.notifiedChannel,
  ownedProjectIds: users.ownedProjectIds,
  pingBody: pingLog.pingBody,
  pingDetails: pingDetails.pingDetails,
  probe: metrics.probe,
  projectAccess: access.projectAccess,
  projectBadge: badges.projectBadge,
  projectFacts: alerts.projectFacts,
  projectLog: projectLogs.projectLog,
  projectOverviews: overview.projectOverviews,
  projectFingerprint: projectStamps.projectFingerprint,
  recipientFacts: recipients.recipientFacts,
  reportWishes: reports.reportWishes,
  reportedChecks: reportFacts.reportedChecks,
  reportedProjects: reportFacts.reportedProjects,
  runCounts: reportFacts.runCounts,
  showChannels: showing.showChannels,
  showCheck: showChecks.showCheck,
  showChecks: showChecks.showChecks,
  showFlips: flipLog.showFlips,
  showPings: pingLog.showPings,
  showPrometheus: badges.showPrometheus,
  signInFacts: users.signInFacts,
  stateCounts: checkStamps.stateCounts,
  uuidOfKey: findCheck.uuidOfKey,
  wrapsFlips: wrapFlips.wrapsFlips,
}

/**
 * Reads that are right although each of their queries sees a moment of its own: those of one query, and those whose queries
 * are about different things. PostgreSQL is spared a transaction around them.
 */
export const independentReads = {
  authenticate: reads.authenticate,
  checkBadge: reads.checkBadge,
  findSession: reads.findSession,
  showCheck: reads.showCheck,
  showFlips: reads.showFlips,
  uuidOfKey: reads.uuidOfKey,
}

export const writes = {
  acceptInvitation: invitations.acceptInvitation,
  acceptTransfer: transfers.acceptTransfer,
  addApiKey: apiKeys.addApiKey,
  addInvitation: invitations.addInvitation,
  addPasskey: passkeys.addPasskey,
  addPingKey: projects.addPingKey,
  addToken: tokens.addToken,
  assignChannel: changeChannels.assignChannel,
  beat: beating.beat,
  cancelTransfer: transfers.cancelTransfer,
  changeChannel: changeChannels.changeChannel,
  claimMails: mails.claimMails,
  claimRemovals: removals.claimRemovals,
  claimUploads: uploads.claimUploads,
  clearEvents: clearing.clearEvents,
  closeSession: sessions.closeSession,
  closeSessions: sessions.closeSessions,
  confirmChannel: changeChannels.confirmChannel,
  confirmUploads: uploads.confirmUploads,
  copyCheck: copying.copyCheck,
  createAccount: accounts.createAccount,
  createChannel: channels.createChannel,
  createCheck: changeChecks.createCheck,
  createFirstAccount: accounts.createFirstAccount,
  createGuest: accounts.createGuest,
  createFirstProject: projects.createFirstProject,
  createProject: projects.createProject,
  createUser: users.createUser,
  declareDown: goingDown.declareDown,
  deleteChannel: channels.deleteChannel,
  deleteCheck: changeChecks.deleteCheck,
  deleteProject: deleting.deleteProject,
  deleteProjectSlice: deleting.deleteProjectSlice,
  deleteUser: users.deleteUser,
  endOthersAccess: members.endOthersAccess,
  endSignIns: disabling.endSignIns,
  giveBackToLimits: rateLimits.giveBackToLimits,
  handProjects: disabling.handProjects,
  handOverAccount: proving.handOverAccount,
  moveCheck: moving.moveCheck,
  noteDeliveryStatus: deliveryStatus.noteDeliveryStatus,
  noteObjectStorage: removals.noteObjectStorage,
  noteIdentity: identities.noteIdentity,
  notePasskeyUse: passkeys.notePasskeyUse,
  noteTest: noting.noteTest,
  offerTransfer: transfers.offerTransfer,
  openSession: sessions.openSession,
  pauseCheck: changeChecks.pauseCheck,
  planNags: reports.planNags,
  postponeRemovals: removals.postponeRemovals,
  postponeUploads: uploads.postponeUploads,
  probePings: probing.probePings,
  proveSession: sessions.proveSession,
  pruneNext: pruning.pruneNext,
  putMember: members.putMember,
  queueNag: reports.queueNag,
  queueReport: reports.queueReport,
  recomputeDueTimes: zoneData.recomputeDueTimes,
  recordPings: pings.recordPings,
  releaseClaims: claims.releaseClaims,
  releaseMails: mails.releaseMails,
  removeIdentity: identities.removeIdentity,
  removeInvitation: invitations.removeInvitation,
  removeMember: members.removeMember,
  removePasskey: passkeys.removePasskey,
  removeSecondStep: recoveryCodes.removeSecondStep,
  removeTotp: credentials.removeTotp,
  renameChannel: channels.renameChannel,
  renameProject: projects.renameProject,
  renewClaims: claims.renewClaims,
  replaceToken: tokens.replaceToken,
  resealTotp: credentials.resealTotp,
  resetLimits: rateLimits.resetLimits,
  resumeCheck: changeChecks.resumeCheck,
  revokeApiKeys: apiKeys.revokeApiKeys,
  revokePingKey: projects.revokePingKey,
  setChannelDisabled: changeChannels.setChannelDisabled,
  setDisabled: disabling.setDisabled,
  setEmail: users.setEmail,
  setListSort: users.setListSort,
  setMemberRole: members.setMemberRole,
  setPassword: credentials.setPassword,
  setPreferences: users.setPreferences,
  setRecoveryCodes: recoveryCodes.setRecoveryCodes,
  setReportWishes: reports.setReportWishes,
  setTotp: credentials.setTotp,
  setWrapFlips: wrapFlips.setWrapFlips,
  settleMail: mails.settleMail,
  settleMessage: settling.settleMessage,
  settleRemovals: removals.settleRemovals,
  switchChannel: checkChannels.switchChannel,
  switchChannels: checkChannels.switchChannels,
  tagChecks: tagging.tagChecks,
  takeFromLimits: rateLimits.takeFromLimits,
  takeMessages: taking.takeMessages,
  takeQuota: quotas.takeQuota,
  takeRecoveryCode: recoveryCodes.takeRecoveryCode,
  takeToken: tokens.takeToken,
  takeTotpStep: credentials.takeTotpStep,
  touchSession: sessions.touchSession,
  unsubscribeChannel: changeChannels.unsubscribeChannel,
  updateCheck: changeChecks.updateCheck,
}
