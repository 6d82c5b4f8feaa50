/** The files that define methods of `store.channels`. */
export * from './change-channel.js'
export * from './channel-pages.js'
export * from './channel-trouble.js'
export * from './channels.js'
export * from './check-channels.js'
export * from './note-test.js'
export * from './recipients.js'
export * from './show-channels.js'
