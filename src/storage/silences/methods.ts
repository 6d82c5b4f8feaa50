/** The files that define methods of `store.silences`. */
export * from './change-silences.js'
export * from './prune-silences.js'
export * from './silences.js'
