/** The files that define methods of `store.incidents`. */
export * from './incidents.js'
