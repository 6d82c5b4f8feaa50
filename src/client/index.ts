/** A client of the ping and management APIs. It needs only `fetch`. */

export type { BadgeSet } from '../core/wire/badge.js'
export type { ChannelShape as Channel } from '../core/wire/channel.js'
export type { ReadOnlyCheck, ReadWriteCheck, ReadWriteCheck as Check } from '../core/wire/check.js'
export type { FlipShape as Flip } from '../core/wire/flip.js'
export type { PingShape as Ping } from '../core/wire/ping.js'
export { ApiError } from './api-error.js'
export type { CheckFields, NewCheckFields } from './check-fields.js'
export { type CheckFilter, type FlipFilter, PunctualClient } from './client.js'
/** The types of Punctual's own API. */
export type * as Api from './own-api.js'
export { PunctualApi } from './own-api.js'
export type { OwnApiOptions } from './own-api-requests.js'
export { Pinger, type PingOptions, type PingTarget } from './pinger.js'
export type { ClientOptions } from './transport.js'
export { type VerifyOptions, verifyEventSignature } from './verify-event-signature.js'
