import { z } from 'zod'
import { noteDeliveryStatus } from '../../actions/alerts/note-delivery-status.js'
import { isStatusSignature } from '../../actions/alerts/status-link.js'
import { secretKeysOf } from '../../lib/secrets/secret-key.js'
import { HTML } from '../responses.js'
import type { Operation } from './operation.js'

const form = () =>
  z.object({
    error: z.string().optional().meta({ description: 'Why the message could not be delivered.' }),
    mark_disabled: z.string().optional().meta({ description: 'Not empty: use the channel no more.' }),
    MessageStatus: z.string().optional().meta({ description: 'As Twilio sends it for messages.' }),
    CallStatus: z.string().optional().meta({ description: 'As Twilio sends it for calls.' }),
  })

export const reportDelivery: Operation = {
  id: 'reportDelivery',
  summary: 'Tell what became of a notification',
  description:
    'For the services that carry messages, at the address that they were given with the message. Reports without its ' +
    'signature, about unknown notifications, or about those older than an hour, are ignored.',
  key: 'none',
  bodyLimit: 16_384,
  query: [
    { name: 'signature', description: 'Part of the address that the service was given.', schema: z.string() },
  ],
  request: { form },
  responses: { 200: { description: 'Nothing.', type: HTML } },
  errors: { 400: 'The form is too large.' },
  async handle({ deps, params, query, raw, now }) {
    const fields = new URLSearchParams(Buffer.from(raw).toString('utf8'))
    const error = errorOf(fields)
    const signature = query.get('signature') ?? ''
    if (error && isStatusSignature(secretKeysOf(deps.config), params.uuid!, signature)) {
      const disable = Boolean(fields.get('error') && fields.get('mark_disabled'))
      const { store, delivery } = deps
      const report = { notificationUuid: params.uuid!, error, disable, now }
      await noteDeliveryStatus({ store, site: delivery.site }, report)
    }
    return { status: 200, body: '', type: HTML }
  },
}

/** The error in a report, or null if the message was delivered. Source: docs/behaviour.md, section 4.10. */
function errorOf(fields: URLSearchParams): string | null {
  const error = fields.get('error')
  if (error) return error.replaceAll('\0', '')
  const status = fields.get('MessageStatus')
  if (status === 'failed' || status === 'undelivered') return `Delivery failed (status=${status}).`
  return fields.get('CallStatus') === 'failed' ? 'Delivery failed (status=failed).' : null
}
