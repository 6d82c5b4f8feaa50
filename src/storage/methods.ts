/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */
import * as apiKeys from './api-keys.js'
import * as changeChecks from './change-checks.js'
import * as deliveries from './deliveries.js'
import * as goingDown from './going-down.js'
import * as outages from './outages.js'
import * as pings from './pings.js'
import * as projects from './projects.js'
import * as settling from './settle-delivery.js'
import * as showChecks from './show-checks.js'

export const reads = {
  authenticate: apiKeys.authenticate,
  currentHold: outages.currentHold,
  nextDelivery: deliveries.nextDelivery,
  nextWake: goingDown.nextWake,
  showCheck: showChecks.showCheck,
  showChecks: showChecks.showChecks,
}

export const writes = {
  addApiKey: apiKeys.addApiKey,
  beat: outages.beat,
  claimDeliveries: deliveries.claimDeliveries,
  createCheck: changeChecks.createCheck,
  declareDown: goingDown.declareDown,
  createProject: projects.createProject,
  deleteCheck: changeChecks.deleteCheck,
  pauseCheck: changeChecks.pauseCheck,
  recordPings: pings.recordPings,
  releaseClaims: deliveries.releaseClaims,
  renewClaims: deliveries.renewClaims,
  resumeCheck: changeChecks.resumeCheck,
  settleDelivery: settling.settleDelivery,
  updateCheck: changeChecks.updateCheck,
}
