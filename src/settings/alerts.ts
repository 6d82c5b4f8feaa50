import { flag, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** When and how alerts go out. */
export const alertSettings = withGroup('Alerts', {
  OUTAGE_HOLD: {
    type: whole(0, 86_400),
    default: '600',
    help: 'After a time in which Punctual could not record pings, deadlines that passed meanwhile wait as long as that was: at least 30 seconds, at most so many.',
  },
  SMS_LIMIT: {
    type: whole(0),
    default: '500',
    help: 'How many text and WhatsApp messages an account may send in a calendar month (UTC). When they are used up, the people of the project are told by e-mail what was not sent.',
  },
  CALL_LIMIT: {
    type: whole(0),
    default: '500',
    help: 'The same for phone calls.',
  },
  INTEGRATIONS_ALLOW_PRIVATE_IPS: {
    type: flag,
    default: 'False',
    help: 'Whether webhooks and other integrations may reach private addresses (this machine, the home network). Link-local addresses such as `169.254.169.254`, and those at which clouds answer a machine its own secrets, stay closed always.',
  },
})
