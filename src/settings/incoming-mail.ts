import { host, optional, pem, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Taking pings in by e-mail. */
export const incomingMailSettings = withGroup('Incoming e-mail', {
  SMTPD_PORT: {
    type: optional(whole(0, 65_535)),
    default: '',
    help: 'The port on which e-mail is taken in that pings checks; empty: none is. 25 where the domain’s MX record leads here.',
  },
  SMTPD_HOST: {
    type: host,
    default: '0.0.0.0',
    help: 'The address to listen on for it; `::` for IPv6 as well.',
  },
  SMTPD_SIZE_LIMIT: {
    type: whole(1_000, 134_217_728),
    default: '33554432',
    help: 'The largest e-mail taken, in bytes. It is kept whole, whatever `PING_BODY_LIMIT` is.',
  },
  SMTPD_TLS_CERT: {
    type: pem,
    default: '',
    help: 'The certificate chain for STARTTLS, in PEM; mostly given as `SMTPD_TLS_CERT_FILE`, a path. Empty: no encryption is offered. Read at the start: restart after it is renewed.',
  },
  SMTPD_TLS_KEY: {
    type: pem,
    default: '',
    secret: true,
    help: 'The certificate’s private key, in PEM; mostly given as `SMTPD_TLS_KEY_FILE`.',
  },
})
