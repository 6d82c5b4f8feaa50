/** The files that define methods of `store.incidents`. */
export * from './acknowledge.js'
export * from './check-parents.js'
export * from './escalation.js'
export * from './explain.js'
export * from './incident-timeline.js'
export * from './incidents.js'
export * from './policies.js'
export * from './release-dependants.js'
