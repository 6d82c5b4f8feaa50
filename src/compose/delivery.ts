import type { DeliverDeps } from '../actions/alerts/deliver.js'
import { statusPath } from '../actions/alerts/status-link.js'
import { unsubscribePath } from '../actions/channels/unsubscribe.js'
import { incidentPath, incidentToken, messagePath } from '../actions/incidents/message-link.js'
import { type Config, commandEnvironment } from '../config.js'
import { createTransports, type ProcessTransports } from '../integrations/create-transports.js'
import { systemClock } from '../lib/clock.js'
import { isPublicAddress } from '../lib/http/public-address.js'
import { isReachableAddress } from '../lib/http/reachable-address.js'
import { createSafeFetch } from '../lib/http/safe-fetch.js'
import { bounceToken } from '../lib/mail/bounce-token.js'
import { createMailer, type MailerOptions } from '../lib/mail/mailer.js'
import { packageVersion } from '../lib/package-root.js'
import { createRunCommand } from '../lib/run-command.js'
import type { Store } from '../storage/store.js'

/** Creates what the transports of this process share: the HTTP client, the mailer, the shell. */
export function createProcessTransports(config: Config): ProcessTransports {
  return {
    fetch: createSafeFetch({
      permits: config.INTEGRATIONS_ALLOW_PRIVATE_IPS ? isReachableAddress : isPublicAddress,
      userAgent: `Punctual/${packageVersion}`,
    }),
    mailer: config.EMAIL_HOST === '' ? null : createMailer(mailerOptions(config)),
    run: createRunCommand({ environment: commandEnvironment() }),
  }
}

/** How to use the mail server of the settings. */
export function mailerOptions(config: Config): MailerOptions {
  return {
    host: config.EMAIL_HOST,
    port: config.EMAIL_PORT,
    user: config.EMAIL_HOST_USER,
    password: config.EMAIL_HOST_PASSWORD,
    startTls: config.EMAIL_USE_TLS,
    implicitTls: config.EMAIL_USE_SSL,
    from: config.DEFAULT_FROM_EMAIL,
    envelopeTemplate: config.EMAIL_MAIL_FROM_TMPL,
  }
}

/** The dependencies of deliveries, from the configuration. */
export function createDeliveryDeps(
  config: Config,
  transports: ProcessTransports,
  parts: { store: Store; worker: string } & Pick<DeliverDeps, 'bodies' | 'onDelivery' | 'onHeld' | 'onError'>,
): DeliverDeps & { store: Store } {
  return {
    ...parts,
    clock: systemClock,
    site: { name: config.SITE_NAME, root: config.SITE_ROOT },
    links: { siteRoot: config.SITE_ROOT, pingEndpoint: config.PING_ENDPOINT },
    transports: (signal, begins) => createTransports(transports, signal, begins),
    statusUrl: uuid => config.SITE_ROOT + statusPath(config.SECRET_KEY, uuid),
    bounceId: uuid => bounceToken(config.SECRET_KEY, `n.${uuid}`, systemClock.now()),
    answerTo: (channel, incident) => ({
      acknowledgeUrl: config.SITE_ROOT + incidentPath(config.SECRET_KEY, channel, incident),
      acknowledgeToken: incidentToken(config.SECRET_KEY, channel, incident),
    }),
    answerToMessageUrl: (channel, notification) =>
      config.SITE_ROOT + messagePath(config.SECRET_KEY, channel, notification),
    unsubscribeUrl: (uuid, address) => config.SITE_ROOT + unsubscribePath(config.SECRET_KEY, uuid, address),
    operator: config.operator,
    quotas: { messages: config.SMS_LIMIT, calls: config.CALL_LIMIT },
    sendsMail: transports.mailer !== null,
  }
}
