import { addressPrefix, domain, orNone, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** How pings are shown and kept. */
export const pingSettings = withGroup('Pings', {
  PING_ENDPOINT: {
    type: addressPrefix,
    default: '{SITE_ROOT}/ping/',
    help: 'What shown ping URLs begin with. It changes only what is shown: pings are always taken under `/ping/`.',
  },
  PING_BODY_LIMIT: {
    type: orNone(whole(0)),
    default: '10000',
    help: 'How many bytes of a ping’s body are kept; `None` keeps all of it.',
  },
  PING_EMAIL_DOMAIN: {
    type: domain,
    default: 'localhost',
    help: 'The domain of the addresses that checks are pinged at by e-mail.',
  },
  PING_LOG_LIMIT: {
    type: whole(1),
    default: '1000',
    help: 'How many pings of each check are kept. It may be far higher; a listing shows 1,000 at most.',
  },
  CHECK_LIMIT: {
    type: whole(1),
    default: '10000',
    help: 'How many checks an account may have; twice as many where pings with `create=1` make them.',
  },
})
