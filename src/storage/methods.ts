/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */
import * as apiKeys from './api-keys.js'
import * as badges from './badges.js'
import * as changeChecks from './change-checks.js'
import * as channels from './channels.js'
import * as deliveries from './deliveries.js'
import * as deliveryStatus from './delivery-status.js'
import * as flipLog from './flip-log.js'
import * as goingDown from './going-down.js'
import * as metrics from './metrics.js'
import * as outages from './outages.js'
import * as pingLog from './ping-log.js'
import * as pings from './pings.js'
import * as projects from './projects.js'
import * as settling from './settle-delivery.js'
import * as showChecks from './show-checks.js'

export const reads = {
  authenticate: apiKeys.authenticate,
  badgeTags: badges.badgeTags,
  checkBadge: badges.checkBadge,
  currentHold: outages.currentHold,
  instanceMetrics: metrics.instanceMetrics,
  nextDelivery: deliveries.nextDelivery,
  nextWake: goingDown.nextWake,
  pingBody: pingLog.pingBody,
  probe: metrics.probe,
  projectBadge: badges.projectBadge,
  showChannels: channels.showChannels,
  showCheck: showChecks.showCheck,
  showChecks: showChecks.showChecks,
  showFlips: flipLog.showFlips,
  showPings: pingLog.showPings,
  showPrometheus: badges.showPrometheus,
}

export const writes = {
  addApiKey: apiKeys.addApiKey,
  beat: outages.beat,
  claimDeliveries: deliveries.claimDeliveries,
  createCheck: changeChecks.createCheck,
  declareDown: goingDown.declareDown,
  createProject: projects.createProject,
  deleteCheck: changeChecks.deleteCheck,
  noteDeliveryStatus: deliveryStatus.noteDeliveryStatus,
  pauseCheck: changeChecks.pauseCheck,
  recordPings: pings.recordPings,
  releaseClaims: deliveries.releaseClaims,
  renewClaims: deliveries.renewClaims,
  resumeCheck: changeChecks.resumeCheck,
  settleDelivery: settling.settleDelivery,
  updateCheck: changeChecks.updateCheck,
}
