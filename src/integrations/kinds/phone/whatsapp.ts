/**
 * Sends WhatsApp messages through the operator's Twilio account. It gets no notices, because businesses may start a
 * conversation only with approved templates, and there is none for notices. Source: docs/behaviour.md, section 8.4.
 */

import { DeliveryError, type Destination, type Integration } from '../../integration.js'
import { label } from '../../text/chat-text.js'
import { clip } from '../../text/clip.js'
import { checkPhone, directionFields, phoneField } from './phone.js'
import { hasTwilio, twilio, twilioAccount, twilioMessaging } from './twilio.js'

const NAME_CHARACTERS = 100

export const whatsapp: Integration = {
  kind: 'whatsapp',
  label: 'WhatsApp',
  category: 'device',
  colour: '#128c4b',
  help: 'Sends a WhatsApp message when a check goes down, when it comes back up, or both. It needs the phone number.',
  guide: `
The operator sets \`TWILIO_USE_WHATSAPP\` and the account's settings as for SMS, and registers two templates with
Twilio, one for each direction. In them, \`{{1}}\` is replaced with the name of the check, the only variable. Their IDs
are set as \`WHATSAPP_DOWN_CONTENT_SID\` and \`WHATSAPP_UP_CONTENT_SID\`. Messages count against the same monthly limit
as text messages. Alerts above it wait for the next month, and are sent then if they are still true.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M3 4h12v9H8l-3 3v-3H3z"/><path d="M18 8h3v9h-2v3l-3-3h-5"/></svg>',
  operatorSettings: [
    ...twilioAccount,
    twilioMessaging,
    { name: 'TWILIO_USE_WHATSAPP', type: 'flag', default: 'False', help: 'Whether WhatsApp may be used.' },
    {
      name: 'WHATSAPP_DOWN_CONTENT_SID',
      help: 'The template for a check that went down; `{{1}}` is replaced with its name.',
    },
    {
      name: 'WHATSAPP_UP_CONTENT_SID',
      help: 'The template for a check that came back up; `{{1}}` is replaced with its name.',
    },
  ],
  needs: [
    'TWILIO_USE_WHATSAPP',
    'TWILIO_ACCOUNT',
    'TWILIO_AUTH',
    ['TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID'],
    'WHATSAPP_DOWN_CONTENT_SID',
    'WHATSAPP_UP_CONTENT_SID',
  ],
  fields: [phoneField, ...directionFields(true, true)],
  quota: { name: 'messages', called: 'message' },
  check: checkPhone,
  describe: ({ phone }) => phone!,
  wants: (settings, status) => settings[status] === 'true',
  explains: () => false,
  async send(alert, to, transports) {
    const template = templateOf(to, alert.status)
    const { TWILIO_FROM: from, TWILIO_MESSAGING_SERVICE_SID: service } = to.operator
    await twilio(to, transports, 'Messages', {
      To: `whatsapp:${to.settings.phone}`,
      ...(service ? { MessagingServiceSid: service } : { From: `whatsapp:${from}` }),
      ContentSid: template,
      ContentVariables: JSON.stringify({ 1: clip(label(alert), NAME_CHARACTERS) }),
    })
  },
}

function templateOf(to: Destination, status: 'up' | 'down'): string {
  const { TWILIO_USE_WHATSAPP, WHATSAPP_DOWN_CONTENT_SID, WHATSAPP_UP_CONTENT_SID } = to.operator
  const template = status === 'down' ? WHATSAPP_DOWN_CONTENT_SID : WHATSAPP_UP_CONTENT_SID
  if (TWILIO_USE_WHATSAPP === 'true' && template && hasTwilio(to, 'Messages')) return template
  throw new DeliveryError('WhatsApp notifications are not enabled')
}
