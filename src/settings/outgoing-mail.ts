import { envelope, flag, host, sender, text, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** The server that sends e-mail. */
export const outgoingMailSettings = withGroup('Outgoing e-mail', {
  EMAIL_HOST: {
    type: host,
    default: '',
    help: 'The SMTP server that sends e-mail; empty: no e-mail is sent.',
  },
  EMAIL_PORT: { type: whole(1, 65_535), default: '587', help: 'The port of the SMTP server.' },
  EMAIL_HOST_USER: {
    type: text,
    default: '',
    help: 'The user name for the SMTP server; empty: no authentication.',
  },
  EMAIL_HOST_PASSWORD: {
    type: text,
    default: '',
    secret: true,
    help: 'The password for the SMTP server.',
  },
  EMAIL_USE_SSL: {
    type: flag,
    default: 'False',
    help: 'Whether to use implicit TLS (usually port 465).',
  },
  EMAIL_USE_TLS: {
    type: flag,
    default: 'True',
    help: 'Whether to require STARTTLS (usually port 587). Ignored if `EMAIL_USE_SSL` is on.',
  },
  EMAIL_USE_VERIFICATION: {
    type: flag,
    default: 'True',
    help: 'Whether a new e-mail channel has to be confirmed through a link sent to its address.',
  },
  DEFAULT_FROM_EMAIL: {
    type: sender,
    default: 'punctual@{PING_EMAIL_DOMAIN}',
    help: 'The sender of every e-mail.',
  },
  EMAIL_MAIL_FROM_TMPL: {
    type: envelope,
    default: '',
    help: 'The envelope sender, such as `%s@bounces.example.org`. `%s` is replaced with an ID of 64 characters, by which Punctual recognises bounces; no more characters are allowed before the @.',
  },
})
