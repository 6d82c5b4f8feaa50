/** The files that define methods of `store.pings`. */
export * from './clear-events.js'
export * from './keywords.js'
export * from './ping-details.js'
export * from './ping-log.js'
export * from './pings.js'
export * from './probe-pings.js'
export * from './removals.js'
export * from './uploads.js'
