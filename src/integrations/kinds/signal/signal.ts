/** Sends Signal messages through the operator's signal-cli. Source: docs/behaviour.md, section 8.4. */
import { Refusal } from '../../../core/errors.js'
import type { Integration } from '../../integration.js'
import type { Confirmation } from '../../setup.js'
import { readerZone } from '../../text/reader-zone.js'
import { phoneNumber } from '../phone/phone-number.js'
import { alertMessage, codeMessage, noticeMessage } from './signal-message.js'
import { sendSignal } from './signal-send.js'

/** Sends a code as a message. Entering it proves that messages arrive and that the recipient wants them. */
const setup: Confirmation = {
  way: 'confirm',
  fixed: ['value'],
  help: 'A message with a code goes to the recipient; type the code on the next page.',
  sendCode: (code, to, transports) => sendSignal(to, codeMessage(code, to.siteName), transports),
}

export const signal: Integration = {
  kind: 'signal',
  label: 'Signal',
  category: 'device',
  colour: '#2c5fe0',
  help:
    'Sends a Signal message when a check goes down, when it comes back up, or both. A code is sent to the ' +
    'recipient first, so that only people who agree get messages.',
  guide: `
The operator runs [signal-cli](https://github.com/AsamK/signal-cli) with its own account, as a daemon that listens on a
socket, and sets \`SIGNAL_CLI_SOCKET\` to that socket:

\`\`\`sh
signal-cli -a +371… daemon --socket /run/signal-cli/socket
\`\`\`

The daemon must serve only one account, and Punctual must have permission to open the socket.

If Signal requires a CAPTCHA, messages wait until you solve it. The failed notification contains the challenge. Solve
the CAPTCHA at <https://signalcaptchas.org/challenge/generate.html>, copy the address of the "Open Signal" link, and
submit both:

\`\`\`sh
punctual signal captcha CHALLENGE signalcaptcha://…
\`\`\``,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M12 4a8 8 0 1 1-4.6 14.6L4 20l1.3-3.6A8 8 0 0 1 12 4Z"/>' +
    '<path d="M12 8.5v4l2.5 2" stroke-linecap="round"/></svg>',
  operatorSettings: [
    {
      name: 'SIGNAL_CLI_SOCKET',
      help: 'The JSON-RPC socket of signal-cli: the path of a UNIX socket, or `host:port`.',
    },
  ],
  needs: ['SIGNAL_CLI_SOCKET'],
  setup,
  fields: [
    {
      name: 'value',
      label: 'Phone number or username',
      type: 'text',
      required: true,
      maxLength: 50,
      help: 'The number with its country code, such as `+37100000000`, or a Signal username, such as `alice.42`.',
    },
    { name: 'down', label: 'When a check goes down', type: 'flag', default: 'true' },
    { name: 'up', label: 'When a check comes back up', type: 'flag', default: 'true' },
  ],
  check(settings) {
    const value = phoneNumber(settings.value!) ?? username(settings.value!)
    if (value === null) throw new Refusal('invalid', 'Enter a phone number or a username.', 'value')
    return { ...settings, value }
  },
  describe: settings => settings.value!,
  wants: (settings, status) => settings[status] === 'true',
  groups: true,
  limit: { perMinute: 6, key: settings => settings.value!.toLowerCase() },
  send: (alert, to, transports) => sendSignal(to, alertMessage(alert, readerZone(alert, to)), transports),
  notify: (notice, to, transports) => sendSignal(to, noticeMessage(notice), transports),
}

/** Checks a username with its number, such as `alice.42`; null if it is not valid. Source: Signal, "Phone number privacy and usernames". */
function username(typed: string): string | null {
  return /^[a-z_][a-z0-9_]{2,31}\.\d{2,10}$/i.test(typed) ? typed : null
}
