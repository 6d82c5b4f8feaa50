/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */
import * as alerts from './alerts.js'
import * as apiKeys from './api-keys.js'
import * as badges from './badges.js'
import * as changeChecks from './change-checks.js'
import * as channels from './channels.js'
import * as checkChannels from './check-channels.js'
import * as checkList from './check-list.js'
import * as checkPage from './check-page.js'
import * as clearing from './clear-events.js'
import * as copying from './copy-check.js'
import * as deliveries from './deliveries.js'
import * as deliveryStatus from './delivery-status.js'
import * as flipLog from './flip-log.js'
import * as goingDown from './going-down.js'
import * as metrics from './metrics.js'
import * as moving from './move-check.js'
import * as noting from './note-test.js'
import * as outages from './outages.js'
import * as pingDetails from './ping-details.js'
import * as pingLog from './ping-log.js'
import * as pings from './pings.js'
import * as overview from './project-overview.js'
import * as projects from './projects.js'
import * as pruning from './prune.js'
import * as settling from './settle-delivery.js'
import * as showing from './show-channels.js'
import * as showChecks from './show-checks.js'
import * as tagging from './tag-checks.js'
import * as timeline from './timeline.js'
import * as users from './users.js'
import * as zoneData from './zone-data.js'

export const reads = {
  checkFacts: checkPage.checkFacts,
  checkTimeline: timeline.checkTimeline,
  listChecks: checkList.listChecks,
  listedChecks: checkList.listedChecks,
  pingDetails: pingDetails.pingDetails,
  projectOverviews: overview.projectOverviews,
  alertFacts: alerts.alertFacts,
  authenticate: apiKeys.authenticate,
  badgeTags: badges.badgeTags,
  checkBadge: badges.checkBadge,
  currentHold: outages.currentHold,
  findChannel: channels.findChannel,
  findProject: projects.findProject,
  findUser: users.findUser,
  instanceMetrics: metrics.instanceMetrics,
  listApiKeys: apiKeys.listApiKeys,
  listChannels: channels.listChannels,
  listProjects: projects.listProjects,
  nextDelivery: deliveries.nextDelivery,
  nextWake: goingDown.nextWake,
  pingBody: pingLog.pingBody,
  probe: metrics.probe,
  projectBadge: badges.projectBadge,
  projectFacts: alerts.projectFacts,
  showChannels: showing.showChannels,
  showCheck: showChecks.showCheck,
  showChecks: showChecks.showChecks,
  showFlips: flipLog.showFlips,
  showPings: pingLog.showPings,
  showPrometheus: badges.showPrometheus,
}

export const writes = {
  clearEvents: clearing.clearEvents,
  copyCheck: copying.copyCheck,
  moveCheck: moving.moveCheck,
  switchChannel: checkChannels.switchChannel,
  tagChecks: tagging.tagChecks,
  addApiKey: apiKeys.addApiKey,
  addPingKey: projects.addPingKey,
  beat: outages.beat,
  claimDeliveries: deliveries.claimDeliveries,
  createChannel: channels.createChannel,
  createCheck: changeChecks.createCheck,
  createFirstProject: projects.createFirstProject,
  createProject: projects.createProject,
  createUser: users.createUser,
  declareDown: goingDown.declareDown,
  deleteChannel: channels.deleteChannel,
  deleteCheck: changeChecks.deleteCheck,
  noteDeliveryStatus: deliveryStatus.noteDeliveryStatus,
  noteTest: noting.noteTest,
  pauseCheck: changeChecks.pauseCheck,
  pruneNext: pruning.pruneNext,
  recomputeDueTimes: zoneData.recomputeDueTimes,
  recordPings: pings.recordPings,
  releaseClaims: deliveries.releaseClaims,
  renameChannel: channels.renameChannel,
  renewClaims: deliveries.renewClaims,
  resumeCheck: changeChecks.resumeCheck,
  revokeApiKeys: apiKeys.revokeApiKeys,
  revokePingKey: projects.revokePingKey,
  settleDelivery: settling.settleDelivery,
  updateCheck: changeChecks.updateCheck,
}
