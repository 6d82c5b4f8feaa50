import { Refusal, type RefusalCode } from '../../core/errors.js'
import type { SecurityEvent } from '../../lib/log/security-events.js'
import { addressOf } from '../client.js'
import type { AppDeps, Bindings } from '../deps.js'

const EVENTS: Partial<Record<RefusalCode, SecurityEvent>> = {
  unauthorized: 'api-key-refused',
  'too-many': 'limit-reached',
}

/**
 * Records in the security log a request that was refused because of its key or a rate limit. Returns the error to
 * answer with: if its key was refused, not before it is the sender's turn, and another one if too many wait.
 */
export async function settleRefusal(
  { config, noteSecurity, anonymous }: Pick<AppDeps, 'config' | 'noteSecurity' | 'anonymous'>,
  request: Request,
  incoming: Bindings['incoming'],
  { error, route }: { error: unknown; route: string },
): Promise<unknown> {
  const event = error instanceof Refusal ? EVENTS[error.code] : undefined
  if (!event) return error
  const address = addressOf(config, incoming)
  noteSecurity(event, { address, request: `${request.method} ${route}` })
  if (event !== 'api-key-refused') return error
  return await anonymous.refusalInTurn(incoming, error)
}
