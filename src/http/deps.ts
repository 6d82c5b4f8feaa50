import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DeliverDeps } from '../actions/alerts/deliver.js'
import type { BounceEvent } from '../actions/alerts/note-bounce.js'
import type { EventFeed } from '../actions/events/event-feed.js'
import type { BodyStore } from '../actions/pings/read-bodies.js'
import type { PingQueue } from '../actions/pings/record-pings.js'
import type { Config } from '../config.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { NoteSecurity } from '../lib/log/security-log.js'
import type { Mailer } from '../lib/mail/mailer.js'
import type { Store } from '../storage/store.js'
import type { AnonymousPace } from './anonymous-pace.js'

/** The settings that the HTTP server reads. `SECRET_KEY` is never empty here. */
export type AppConfig = Pick<
  Config,
  | 'SITE_ROOT'
  | 'HSTS_INCLUDE_SUBDOMAINS'
  | 'SITE_NAME'
  | 'SECRET_KEY'
  | 'SECRET_KEY_PREVIOUS'
  | 'PING_ENDPOINT'
  | 'PING_BODY_LIMIT'
  | 'PING_EMAIL_DOMAIN'
  | 'SMTPD_PORT'
  | 'EMAIL_MAIL_FROM_TMPL'
  | 'EMAIL_USE_VERIFICATION'
  | 'DEBUG'
  | 'METRICS_KEY'
  | 'MASTER_BADGE_LABEL'
  | 'PROMETHEUS_ENABLED'
  | 'WRAP_FLIPS'
  | 'ANONYMOUS_REQUESTS_PER_SECOND'
  | 'API_REQUESTS_PER_MINUTE'
  | 'REGISTRATION_OPEN'
  | 'TRUSTED_PROXIES'
  | 'SECOND_STEP_REQUIRED'
  | 'RP_ID'
  | 'REMOTE_USER_HEADER'
  | 'OPENID_ISSUER'
  | 'OPENID_CLIENT_ID'
  | 'OPENID_CLIENT_SECRET'
  | 'OPENID_NAME'
>

/** The dependencies of the HTTP server. */
export interface AppDeps {
  config: AppConfig
  store: Store
  clock: Clock
  /** Records pings that users send from a page, and those by the protocols of other monitors. */
  pings: PingQueue
  changes: Changes
  /** New events, for streams. */
  events: EventFeed
  /** The transports for test notifications. */
  delivery: DeliverDeps & { store: Store }
  /** Null if no e-mail is sent. */
  mailer: Mailer | null
  /** Null if every body is stored in the database. */
  bodies: BodyStore | null
  /** Records security events. */
  noteSecurity: NoteSecurity
  /** The pace of senders who are unknown. */
  anonymous: AnonymousPace
  /** Called with the address of a peer that sends `X-Forwarded-For` and is not a trusted proxy. */
  onUntrustedProxy(peer: string): void
  /** Called with each e-mail that came back. */
  onBounce(event: BounceEvent): void
  /** Called with the error of a request that failed through no fault of the client. */
  onError(error: unknown): void
}

/** What node:http provides with a request. */
export interface Bindings {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** The body, if it is not that of `incoming`: a request that another one consists of. */
  body?: Uint8Array
}
