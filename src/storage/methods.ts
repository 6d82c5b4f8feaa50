/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */
import * as alerts from './alerts.js'
import * as apiKeys from './api-keys.js'
import * as deliveries from './deliveries.js'
import * as goingDown from './going-down.js'
import * as outages from './outages.js'
import * as pings from './pings.js'
import * as projects from './projects.js'
import * as settling from './settle-delivery.js'

export const reads = {
  alertFacts: alerts.alertFacts,
  authenticate: apiKeys.authenticate,
  currentHold: outages.currentHold,
  nextDelivery: deliveries.nextDelivery,
  nextWake: goingDown.nextWake,
  projectFacts: alerts.projectFacts,
}

export const writes = {
  addApiKey: apiKeys.addApiKey,
  beat: outages.beat,
  claimDeliveries: deliveries.claimDeliveries,
  declareDown: goingDown.declareDown,
  createProject: projects.createProject,
  recordPings: pings.recordPings,
  releaseClaims: deliveries.releaseClaims,
  renewClaims: deliveries.renewClaims,
  settleDelivery: settling.settleDelivery,
}
