import { envelope, flag, host, sender, text, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** The server that e-mail goes out through. */
export const outgoingMailSettings = withGroup('Outgoing e-mail', {
  EMAIL_HOST: {
    type: host,
    default: '',
    help: 'The SMTP server that e-mail goes out through; empty: no e-mail is sent.',
  },
  EMAIL_PORT: { type: whole(1, 65_535), default: '587', help: 'Its port.' },
  EMAIL_HOST_USER: {
    type: text,
    default: '',
    help: 'The user to sign in as; empty: without signing in.',
  },
  EMAIL_HOST_PASSWORD: {
    type: text,
    default: '',
    secret: true,
    help: 'That user’s password.',
  },
  EMAIL_USE_SSL: {
    type: flag,
    default: 'False',
    help: 'TLS from the first byte (mostly port 465).',
  },
  EMAIL_USE_TLS: {
    type: flag,
    default: 'True',
    help: 'STARTTLS is required (mostly port 587). It does not apply where `EMAIL_USE_SSL` is on.',
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
    help: 'The envelope sender, with `%s` where the id goes by which a bounce is recognised (`%s@bounces.example.org`; an id has 64 characters, the most that may stand before the @).',
  },
})
