import { receiverLimit } from '../../core/alerts/delivery/channel-rules.js'
import { receiverOf } from '../../integrations/channel-rules.js'
import type { ChannelSettings } from '../../integrations/field.js'
import type { Integration } from '../../integrations/integration.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * How long (ms) the receiver of a channel with these settings takes no more messages, by the rate limit of its kind.
 * 0: this message may be sent, and is counted. Source: docs/behaviour.md, section 11.
 */
export async function limitReceiver(
  { store, clock }: { store: StoreWith<'alerts.takeFromLimits'>; clock: Clock },
  integration: Integration,
  settings: ChannelSettings,
): Promise<number> {
  const receiver = receiverOf(integration, settings)
  return receiver ? await store.alerts.takeFromLimits([receiverLimit(receiver)], clock.now()) : 0
}
