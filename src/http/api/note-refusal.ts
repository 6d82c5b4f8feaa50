import { Refusal, type RefusalCode } from '../../core/errors.js'
import type { SecurityEvent } from '../../lib/log/security-events.js'
import { addressOf } from '../client.js'
import type { AppDeps, Bindings } from '../deps.js'

const EVENTS: Partial<Record<RefusalCode, SecurityEvent>> = {
  unauthorized: 'api-key-refused',
  'too-many': 'limit-reached',
}

/** Records in the security log a request that was refused because of its key or a rate limit. */
export function noteRefusal(
  { config, noteSecurity }: Pick<AppDeps, 'config' | 'noteSecurity'>,
  request: Request,
  incoming: Bindings['incoming'],
  { error, route }: { error: unknown; route: string },
): void {
  const event = error instanceof Refusal ? EVENTS[error.code] : undefined
  if (!event) return
  const address = addressOf(config, incoming, request.headers.get('X-Forwarded-For') ?? undefined)
  noteSecurity(event, { address, request: `${request.method} ${route}` })
}
