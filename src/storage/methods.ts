/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */
import * as apiKeys from './api-keys.js'
import * as outages from './outages.js'
import * as pings from './pings.js'
import * as projects from './projects.js'

export const reads = {
  authenticate: apiKeys.authenticate,
  currentHold: outages.currentHold,
}

export const writes = {
  addApiKey: apiKeys.addApiKey,
  beat: outages.beat,
  createProject: projects.createProject,
  recordPings: pings.recordPings,
}
