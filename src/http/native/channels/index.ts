export { createChannel, deleteChannel, getChannel, listChannels, patchChannel } from './channels.js'
export { listKinds } from './kind.js'
export { getChannelChecks, listChannelNotifications, putChannelChecks, testChannel } from './use.js'
