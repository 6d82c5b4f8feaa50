import type { Destination, Integration } from '../../integrations/integration.js'
import type { DeliverDeps } from '../alerts/deliver-deps.js'

/** Where a message goes, with all the integration may know of it. */
export async function resolveDestination(
  deps: Pick<DeliverDeps, 'store' | 'unsubscribeUrl' | 'bounceId' | 'operator' | 'site'>,
  channel: { uuid: string; name: string; settings: Record<string, string> },
  attempt: { idempotencyKey: string; notificationUuid: string },
  integration: Integration,
): Promise<Destination> {
  const address = integration.recipient?.(channel.settings)
  const known = address === undefined ? null : await deps.store.channels.recipientFacts(channel.uuid, address)
  const names = integration.operatorSettings?.map(setting => setting.name) ?? []
  return {
    uuid: channel.uuid,
    name: channel.name,
    settings: channel.settings,
    idempotencyKey: attempt.idempotencyKey,
    unsubscribeUrl: deps.unsubscribeUrl(channel.uuid, address ?? ''),
    statusUrl: `${deps.site.root}/api/v3/notifications/${attempt.notificationUuid}/status`,
    ...(known ? { bounceId: deps.bounceId(attempt.notificationUuid) } : {}),
    ...(known?.timeZone ? { timeZone: known.timeZone } : {}),
    ...(known?.projects ? { projects: known.projects } : {}),
    operator: Object.fromEntries(names.map(name => [name, deps.operator[name] ?? ''])),
  }
}
