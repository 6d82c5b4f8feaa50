/** The files that define methods of `store.reports`. */
export * from './report-facts.js'
export * from './reports.js'
