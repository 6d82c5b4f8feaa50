import { choice, flag } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** What is logged, and how. */
export const logSettings = withGroup('Log', {
  DEBUG: {
    type: flag,
    default: 'False',
    help: 'For developers: shows every e-mail there is, with made-up contents, under `/dev/mails/`.',
  },
  LOG_FORMAT: {
    type: choice('pretty', 'json'),
    default: 'pretty',
    help: '`pretty`: a line for people; `json`: a JSON object a line. The log goes to standard error.',
  },
  LOG_LEVEL: {
    type: choice('debug', 'info', 'warn', 'error'),
    default: 'info',
    help: 'The least important lines that are still written.',
  },
})
