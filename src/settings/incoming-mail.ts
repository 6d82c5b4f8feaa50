import { host, optional, pem, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Pings by e-mail. */
export const incomingMailSettings = withGroup('Incoming e-mail', {
  SMTPD_PORT: {
    type: optional(whole(0, 65_535)),
    default: '',
    help: 'The port on which Punctual receives pings by e-mail; empty: none are received. Use 25 if the domain’s MX record points to this machine.',
  },
  SMTPD_HOST: {
    type: host,
    default: '0.0.0.0',
    help: 'The address to listen on for e-mail; `::` includes IPv6.',
  },
  SMTPD_SIZE_LIMIT: {
    type: whole(1_000, 134_217_728),
    default: '33554432',
    help: 'The maximum size of an e-mail, in bytes. E-mails are stored in full, regardless of `PING_BODY_LIMIT`.',
  },
  SMTPD_TLS_CERT: {
    type: pem,
    default: '',
    help: 'The certificate chain for STARTTLS, in PEM format; usually set as a path in `SMTPD_TLS_CERT_FILE`. Empty: no encryption. It is read on start, so restart Punctual after renewing it.',
  },
  SMTPD_TLS_KEY: {
    type: pem,
    default: '',
    secret: true,
    help: 'The certificate’s private key, in PEM format; usually set as a path in `SMTPD_TLS_KEY_FILE`.',
  },
})
