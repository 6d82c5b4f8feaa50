/**
 * Sends messages and makes calls through Twilio.
 * Source: docs/behaviour.md, section 8.4; Twilio's Messages and Calls resources.
 */
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../lib/http/public-address.js'
import { expectOk } from '../../http/expect-ok.js'
import { jsonField } from '../../http/json-field.js'
import { postForm } from '../../http/post-form.js'
import { DeliveryError, type Destination, type OperatorSetting } from '../../integration.js'
import type { Transports } from '../../transports.js'

const ACCOUNTS = 'https://api.twilio.com/2010-04-01/Accounts'

/** Error codes that mean that messages to this number will never be accepted. Source: Twilio's error dictionary. */
const FINAL: Record<string, string> = {
  '21211': 'Invalid phone number',
  '21610': 'The recipient has unsubscribed',
}

export const twilioAccount: readonly OperatorSetting[] = [
  { name: 'TWILIO_ACCOUNT', help: 'The SID of a Twilio account, for SMS, WhatsApp and calls.' },
  { name: 'TWILIO_AUTH', secret: true, help: 'The auth token of that account.' },
  {
    name: 'TWILIO_FROM',
    help: 'The phone number of the sender of calls and messages, with `+` and the country code.',
  },
]

export const twilioMessaging: OperatorSetting = {
  name: 'TWILIO_MESSAGING_SERVICE_SID',
  help: 'The SID of a Twilio messaging service for sending messages, instead of `TWILIO_FROM`.',
}

/** Whether the operator has an account, and a sender for messages or calls. */
export function hasTwilio({ operator }: Destination, resource: 'Messages' | 'Calls'): boolean {
  const { TWILIO_ACCOUNT, TWILIO_AUTH, TWILIO_FROM, TWILIO_MESSAGING_SERVICE_SID } = operator
  const sender = TWILIO_FROM || (resource === 'Messages' && TWILIO_MESSAGING_SERVICE_SID)
  return Boolean(TWILIO_ACCOUNT && TWILIO_AUTH && sender)
}

/** Sends a message or makes a call. Twilio reports the result to the destination's status URL. */
export async function twilio(
  to: Destination,
  transports: Transports,
  resource: 'Messages' | 'Calls',
  fields: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { TWILIO_ACCOUNT: account = '', TWILIO_AUTH: auth = '' } = to.operator
  const url = `${ACCOUNTS}/${encodeURIComponent(account)}/${resource}.json`
  const Authorization = `Basic ${Buffer.from(`${account}:${auth}`).toString('base64')}`
  const StatusCallback = reachable(to.statusUrl) ? to.statusUrl : undefined
  const answer = await transports.http(postForm(url, { ...fields, StatusCallback }, { Authorization }))
  const final = answer.status === 400 ? FINAL[jsonField(answer.body, 'code')] : undefined
  if (final !== undefined) throw new DeliveryError(final, { permanent: true })
  expectOk(answer)
}

/** Whether an address can be public. Twilio refuses messages with any other status callback. */
function reachable(url: string): boolean {
  const { hostname } = new URL(url)
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? hostname.includes('.') : isPublicAddress(address)
}
