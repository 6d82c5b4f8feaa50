import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DeliverDeps } from '../actions/alerts/deliver.js'
import type { BodyStore } from '../actions/pings/read-bodies.js'
import type { PingQueue } from '../actions/pings/record-pings.js'
import type { Config } from '../config.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { NoteSecurity } from '../lib/log/security-log.js'
import type { Mailer } from '../lib/mail/mailer.js'
import type { Store } from '../storage/store.js'

/** The settings that the web side reads. `SECRET_KEY` is never empty here. */
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

/** What the web side works with. */
export interface AppDeps {
  config: AppConfig
  store: Store
  clock: Clock
  /** Takes the pings that people send from a page. */
  pings: Pick<PingQueue, 'record'>
  changes: Changes
  /** What a test notification goes out with. */
  delivery: DeliverDeps & { store: Store }
  /** Null where no e-mail goes out. */
  mailer: Mailer | null
  /** Null where every body lies in the database. */
  bodies: BodyStore | null
  /** Notes what matters to security. */
  noteSecurity: NoteSecurity
  /** Called with the address of a peer that sends `X-Forwarded-For` and is no trusted proxy. */
  onUntrustedProxy(peer: string): void
  /** Called with what a request failed of, where that is not the sender's fault. */
  onError(error: unknown): void
}

/** What node:http brings along with a request. */
export interface Bindings {
  incoming: IncomingMessage
  outgoing: ServerResponse
}
