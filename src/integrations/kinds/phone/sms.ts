/** Sends text messages through the operator's Twilio account. Source: docs/behaviour.md, section 8.4. */
import { DeliveryError, type Destination, type Integration } from '../../integration.js'
import { readerZone } from '../../text/reader-zone.js'
import { smsAlert, smsNotice } from '../../text/short-text.js'
import type { Transports } from '../../transports.js'
import { checkPhone, directionFields, phoneField } from './phone.js'
import { hasTwilio, twilio, twilioAccount, twilioMessaging } from './twilio.js'

export const sms: Integration = {
  kind: 'sms',
  label: 'SMS',
  category: 'device',
  help: 'Sends a text message when a check goes down, when it comes back up, or both. It needs the phone number.',
  guide: `
The operator sets \`TWILIO_ACCOUNT\`, \`TWILIO_AUTH\`, and \`TWILIO_FROM\` or \`TWILIO_MESSAGING_SERVICE_SID\`. If Twilio
can reach \`SITE_ROOT\`, it reports messages that could not be delivered, and Punctual shows the error with the channel.
Messages count against the monthly limit of the account. Alerts above it wait for the next month, and are sent then if
they are still true.

Punctual disables the channel if the number does not exist, or if its owner has answered STOP.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M4 4h16v12H9l-5 4z"/><path d="M8 10h.01M12 10h.01M16 10h.01"/></svg>',
  operatorSettings: [...twilioAccount, twilioMessaging],
  needs: ['TWILIO_ACCOUNT', 'TWILIO_AUTH', ['TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID']],
  fields: [phoneField, ...directionFields(true, false)],
  groups: true,
  quota: { name: 'messages', called: 'SMS' },
  check: checkPhone,
  describe: ({ phone }) => phone!,
  wants: (settings, status) => settings[status] === 'true',
  explains: () => false,
  async send(alert, to, transports) {
    await text(to, transports, smsAlert(alert, readerZone(alert, to)))
  },
  async notify(notice, to, transports) {
    await text(to, transports, smsNotice(notice))
  },
}

async function text(to: Destination, transports: Transports, body: string): Promise<void> {
  if (!hasTwilio(to, 'Messages')) throw new DeliveryError('SMS notifications are not enabled')
  const { TWILIO_FROM: from, TWILIO_MESSAGING_SERVICE_SID: service } = to.operator
  await twilio(to, transports, 'Messages', {
    To: to.settings.phone,
    Body: body,
    // Fraud detection could delay or block alerts.
    RiskCheck: 'disable',
    ...(service ? { MessagingServiceSid: service } : { From: from }),
  })
}
