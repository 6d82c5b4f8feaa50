import type { Destination, Integration } from '../../integrations/integration.js'
import type { StoreWith } from '../../storage/store.js'

export interface DestinationDeps {
  store: StoreWith<'alerts.recipientFacts'>
  /** The link by which a recipient stops the messages of a channel. */
  unsubscribeUrl(channelUuid: string, address: string): string
  /** The address to which a messaging service reports the result of the attempt. */
  statusUrl(notificationUuid: string): string
  /** The token in the envelope sender by which a bounce names the attempt. */
  bounceId(notificationUuid: string): string
  /** The operator's settings, by name. */
  operator: Readonly<Record<string, string>>
}

/** The destination of a message, with everything that the integration may know about it. */
export async function resolveDestination(
  deps: DestinationDeps,
  channel: { uuid: string; name: string; settings: Record<string, string> },
  attempt: { idempotencyKey: string; notificationUuid: string },
  integration: Integration,
): Promise<Destination> {
  const address = integration.recipient?.(channel.settings)
  const known = address === undefined ? null : await deps.store.alerts.recipientFacts(channel.uuid, address)
  const names = integration.operatorSettings?.map(setting => setting.name) ?? []
  return {
    uuid: channel.uuid,
    name: channel.name,
    settings: channel.settings,
    idempotencyKey: attempt.idempotencyKey,
    unsubscribeUrl: deps.unsubscribeUrl(channel.uuid, address ?? ''),
    statusUrl: deps.statusUrl(attempt.notificationUuid),
    ...(known ? { bounceId: deps.bounceId(attempt.notificationUuid) } : {}),
    ...(known?.timeZone ? { timeZone: known.timeZone } : {}),
    operator: Object.fromEntries(names.map(name => [name, deps.operator[name] ?? ''])),
  }
}
