/** The files that define methods of `store.instance`. */
export * from './beat.js'
export * from './canary.js'
export * from './instance.js'
export * from './metrics.js'
export * from './prune.js'
export * from './sending.js'
export * from './wake-after-cut.js'
export * from './zone-data.js'
