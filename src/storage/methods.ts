/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */
import * as access from './access.js'
import * as accounts from './accounts.js'
import * as alerts from './alerts.js'
import * as apiKeys from './api-keys.js'
import * as badges from './badges.js'
import * as beating from './beat.js'
import * as changeChannels from './change-channel.js'
import * as changeChecks from './change-checks.js'
import * as channelPages from './channel-pages.js'
import * as channels from './channels.js'
import * as checkChannels from './check-channels.js'
import * as checkList from './check-list.js'
import * as checkPage from './check-page.js'
import * as checkStamps from './check-stamps.js'
import * as clearing from './clear-events.js'
import * as copying from './copy-check.js'
import * as credentials from './credentials.js'
import * as deleting from './delete-project.js'
import * as deliveryStatus from './delivery-status.js'
import * as digests from './digest-facts.js'
import * as disabling from './disable-user.js'
import * as downs from './down-checks.js'
import * as due from './due-channels.js'
import * as findCheck from './find-check.js'
import * as flipLog from './flip-log.js'
import * as goingDown from './going-down.js'
import * as identities from './identities.js'
import * as instance from './instance.js'
import * as invitations from './invitations.js'
import * as keywords from './keywords.js'
import * as mails from './mails.js'
import * as members from './members.js'
import * as metrics from './metrics.js'
import * as moving from './move-check.js'
import * as noting from './note-test.js'
import * as passkeys from './passkeys.js'
import * as pingDetails from './ping-details.js'
import * as pingLog from './ping-log.js'
import * as pings from './pings.js'
import * as probing from './probe-pings.js'
import * as projectLogs from './project-log.js'
import * as overview from './project-overview.js'
import * as projectStamps from './project-stamp.js'
import * as projects from './projects.js'
import * as proving from './prove-address.js'
import * as pruning from './prune.js'
import * as quotas from './quotas.js'
import * as rateLimits from './rate-limits.js'
import * as recipients from './recipients.js'
import * as recoveryCodes from './recovery-codes.js'
import * as claims from './release-claims.js'
import * as removals from './removals.js'
import * as reportFacts from './report-facts.js'
import * as reports from './reports.js'
import * as sessions from './sessions.js'
import * as settling from './settle-message.js'
import * as showing from './show-channels.js'
import * as showChecks from './show-checks.js'
import * as tagging from './tag-checks.js'
import * as taking from './take-messages.js'
import * as timeline from './timeline.js'
import * as tokens from './tokens.js'
import * as transfers from './transfers.js'
import * as uploads from './uploads.js'
import * as users from './users.js'
import * as wrapFlips from './wrap-flips.js'
import * as zoneData from './zone-data.js'

export const reads = {
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
  checkStamps: checkStamps.checkStamps,
  checkTimeline: timeline.checkTimeline,
  digestFacts: digests.digestFacts,
  downChecks: downs.downChecks,
  claimants: claims.claimants,
  dueChannels: due.dueChannels,
  dueNags: reports.dueNags,
  dueReports: reports.dueReports,
  eventStamp: checkStamps.eventStamp,
  findByIdentity: identities.findByIdentity,
  findChannel: channels.findChannel,
  findInvitation: invitations.findInvitation,
  findPasskeys: passkeys.findPasskeys,
  findProject: projects.findProject,
  findSession: sessions.findSession,
  findToken: tokens.findToken,
  findUser: users.findUser,
  foundChecks: checkList.foundChecks,
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
  projectStamp: projectStamps.projectStamp,
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
  updateCheck: changeChecks.updateCheck,
}
