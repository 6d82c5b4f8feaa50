/** One request of an event webhook. Decision 0121. */
import { DeliveryError } from '../../integrations/integration.js'
import type { Clock } from '../../lib/clock.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { openWebhookSecret, webhookSignature } from '../../lib/secrets/webhook-secret.js'
import type { DeliverDeps } from '../alerts/deliver.js'

/** The time limit of a request. A webhook has to answer before it does its work. */
export const REQUEST_MS = 10_000

/** Of an answer nothing but its status counts. */
const KEEP_BYTES = 1_024

export interface PostDeps {
  transports: DeliverDeps['transports']
  secretKeys: SecretKeys
  clock: Clock
}

export interface PostResult {
  /** When it began (ms), and how long it took. */
  at: number
  durationMs: number
  /** Null: there was no answer. */
  status: number | null
  /** Empty: it arrived. */
  error: string
}

/**
 * Sends `body`, signed. Rejects only with the reason of `signal`, unless that is a `DeliveryError`, and with what `begins`
 * throws.
 */
export async function postEvent(
  { transports, secretKeys, clock }: PostDeps,
  webhook: { uuid: string; url: string; secret: string },
  event: { type: string; delivery: string; body: string },
  signal: AbortSignal,
  begins: () => void = () => {},
): Promise<PostResult> {
  const at = clock.now()
  const begun = performance.now()
  const result = (status: number | null, error: string): PostResult => ({
    at,
    durationMs: Math.round(performance.now() - begun),
    status,
    error,
  })
  const secret = openWebhookSecret(secretKeys, webhook.uuid, webhook.secret)
  if (secret === null) return result(null, 'SECRET_KEY has changed: rotate the secret')
  const headers = {
    'Content-Type': 'application/json',
    'Punctual-Event': event.type,
    'Punctual-Delivery': event.delivery,
    'Punctual-Signature': webhookSignature(secret, event.body, at),
  }
  const request = { method: 'POST', url: webhook.url, headers, body: event.body } as const
  const limit = AbortSignal.timeout(REQUEST_MS)
  try {
    const { http } = transports(AbortSignal.any([signal, limit]), begins)
    // Events must not go where nobody asked for them.
    const { status } = await http({ ...request, keepBytes: KEEP_BYTES, keepRedirect: true })
    return result(status, status >= 200 && status < 300 ? '' : `The answer was ${status}`)
  } catch (error) {
    if (error instanceof DeliveryError) return result(null, error.message)
    if (signal.aborted) throw error
    if (limit.aborted) return result(null, 'Connection timed out')
    throw error
  }
}
