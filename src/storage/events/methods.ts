/** The store's methods about events. */
export * from './event-feed.js'
export * from './event-log.js'
export * from './prune-events.js'
export * from './send-webhooks.js'
export * from './webhooks.js'
