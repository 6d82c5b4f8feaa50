import { receiverLimit } from '../../core/alerts/delivery/channel-rules.js'
import { receiverOf } from '../../integrations/channel-rules.js'
import type { ChannelSettings } from '../../integrations/field.js'
import type { Integration } from '../../integrations/integration.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * How long (ms) the receiver behind these settings takes no message, by its kind's limit; 0 when this one may be
 * sent, which is then counted. Source: docs/behaviour.md, section 11.
 */
export async function limitReceiver(
  { store, clock }: { store: StoreWith<'people.takeFromLimits'>; clock: Clock },
  integration: Integration,
  settings: ChannelSettings,
): Promise<number> {
  const receiver = receiverOf(integration, settings)
  return receiver ? await store.people.takeFromLimits([receiverLimit(receiver)], clock.now()) : 0
}
