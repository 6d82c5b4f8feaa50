import { flag, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** When and how alerts are sent. */
export const alertSettings = withGroup('Alerts', {
  OUTAGE_HOLD: {
    type: whole(0, 86_400),
    default: '600',
    help: 'The maximum time, in seconds, to wait for late pings after an outage of Punctual before checks go down. Punctual waits as long as the outage lasted, and at least 30 seconds.',
  },
  INCIDENT_DAYS: {
    type: whole(1, 36_500),
    default: '400',
    help: 'How many days closed incidents and past silences are kept, with everything that was sent, held or dropped about them and all notes. The log of a check may be shorter.',
  },
  SMS_LIMIT: {
    type: whole(0),
    default: '500',
    help: 'The number of text and WhatsApp messages an account may send in a calendar month (UTC). Alerts above the limit wait for the next month or a higher limit, and the members of the project are notified of them by e-mail.',
  },
  CALL_LIMIT: {
    type: whole(0),
    default: '500',
    help: 'The same limit for phone calls.',
  },
  INTEGRATIONS_ALLOW_PRIVATE_IPS: {
    type: flag,
    default: 'False',
    help: 'Whether webhooks and other integrations may connect to private addresses, such as this machine or the local network. Link-local addresses such as `169.254.169.254` and the metadata services of clouds are always blocked.',
  },
})
