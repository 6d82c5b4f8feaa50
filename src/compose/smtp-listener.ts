import type { PingQueue } from '../actions/pings/record-pings.js'
import type { Config } from '../config.js'
import { Refusal } from '../core/errors.js'
import type { Stamp } from '../lib/clock.js'
import type { Log } from '../lib/log/log.js'
import { mailReader } from '../lib/mail/mail-reader.js'
import type { SmtpServer } from '../smtp/server.js'
import type { StoreWith } from '../storage/store.js'

/**
 * The SMTP listener of the configuration. Its libraries are loaded here, because most installations do not need them.
 * Throws a `Refusal` if the certificate and its key cannot be used.
 */
export async function createSmtpListener(
  config: Config,
  parts: {
    store: StoreWith<'pings.namedByMail'>
    pings: PingQueue
    stamp(): Stamp
    log: Log
    onError(error: unknown): void
  },
): Promise<SmtpServer> {
  const { createSmtpServer } = await import('../smtp/server.js')
  const { SMTPD_TLS_CERT: cert, SMTPD_TLS_KEY: key } = config
  try {
    return createSmtpServer({
      pings: parts.pings,
      stamp: parts.stamp,
      namedByMail: targets => parts.store.pings.namedByMail(targets),
      readMail: (raw, how) => mailReader.read(raw, how),
      domain: config.PING_EMAIL_DOMAIN,
      sizeLimit: config.SMTPD_SIZE_LIMIT,
      tls: cert === '' ? null : { cert, key },
      onMail: event => parts.log.info('mail', { ...event }),
      onError: parts.onError,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal('invalid', `SMTPD_TLS_CERT and SMTPD_TLS_KEY cannot be used: ${reason}`)
  }
}
