/** The files that define methods of `store.silences`. */
export * from './silences.js'
