/**
 * Every method of the store, by the thread that runs it. A noun's file defines its methods; a new one is
 * named here once and both engines have it.
 */
import * as outages from './outages.js'
import * as pings from './pings.js'

export const reads = {
  currentHold: outages.currentHold,
}

export const writes = {
  recordPings: pings.recordPings,
  beat: outages.beat,
}
