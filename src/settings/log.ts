import { choice, flag } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** What is logged, and how. */
export const logSettings = withGroup('Log', {
  DEBUG: {
    type: flag,
    default: 'False',
    help: 'For developers: shows a sample of every e-mail under `/dev/mails/`, and of the messages of every kind of integration under `/dev/messages/`.',
  },
  LOG_FORMAT: {
    type: choice('pretty', 'json'),
    default: 'pretty',
    help: '`pretty`: readable lines; `json`: one JSON object per line. The log is written to standard error.',
  },
  LOG_LEVEL: {
    type: choice('debug', 'info', 'warn', 'error'),
    default: 'info',
    help: 'The lowest level that is logged.',
  },
})
