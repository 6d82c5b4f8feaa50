/** The files that define methods of `store.alerts`. */
export * from './alerts.js'
export * from './delivery-status.js'
export * from './digest-facts.js'
export * from './due-channels.js'
export * from './going-down.js'
export * from './release-claims.js'
export * from './settle-message.js'
export * from './take-messages.js'
