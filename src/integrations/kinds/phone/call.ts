/**
 * Makes phone calls through the operator's Twilio account. It gets no notices, because none justifies a call.
 * Source: docs/behaviour.md, section 8.4; Twilio's markup, TwiML.
 */
import { escapeHtml } from '../../../views/escape-html.js'
import { DeliveryError, type Integration } from '../../integration.js'
import { spokenAlert } from '../../text/short-text.js'
import { checkPhone, phoneField } from './phone.js'
import { hasTwilio, twilio, twilioAccount } from './twilio.js'

export const call: Integration = {
  kind: 'call',
  label: 'Phone Call',
  category: 'device',
  help: 'Calls a phone number and reads out which check went down, and why. It does not report recoveries.',
  guide: `
The operator sets \`TWILIO_ACCOUNT\`, \`TWILIO_AUTH\` and \`TWILIO_FROM\`. Unanswered calls count as delivered, so use
another channel as well. Calls count against the monthly limit of the account. Alerts above it wait for the next month,
and are sent then if they are still true. Punctual disables the channel if the number does not exist.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M5 3h4l2 5-3 2c1 3 3 5 6 6l2-3 5 2v4c0 1-1 2-2 2C10 21 3 14 3 5c0-1 1-2 2-2z"/></svg>',
  operatorSettings: twilioAccount,
  needs: ['TWILIO_ACCOUNT', 'TWILIO_AUTH', 'TWILIO_FROM'],
  fields: [phoneField],
  quota: { name: 'calls', called: 'phone call' },
  check: checkPhone,
  describe: ({ phone }) => phone!,
  wants: (_settings, status) => status === 'down',
  explains: () => false,
  async send(alert, to, transports) {
    if (!hasTwilio(to, 'Calls')) throw new DeliveryError('Call notifications are not enabled')
    await twilio(to, transports, 'Calls', {
      From: to.operator.TWILIO_FROM,
      To: to.settings.phone,
      Twiml: `<Response><Say>${escapeHtml(spokenAlert(alert))}</Say></Response>`,
    })
  },
}
