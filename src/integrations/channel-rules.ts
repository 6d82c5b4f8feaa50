import type { ChannelRules } from '../core/alerts/delivery/channel-rules.js'
import { digestOf } from '../lib/secrets/secrets.js'
import { hourlyLimitOf, mayGroup } from './common-fields.js'
import type { ChannelSettings } from './field.js'
import { integrationOf } from './index.js'
import type { Integration } from './integration.js'

/** The rules for messages to a channel, or null if this version does not know its kind. */
export function channelRules(kind: string, settings: ChannelSettings): ChannelRules | null {
  const integration = integrationOf(kind)
  if (!integration) return null
  const wants = (status: 'up' | 'down') => integration.wants?.(settings, status) ?? true
  const { keepsOpen = false } = integration
  return {
    down: wants('down'),
    up: wants('up'),
    grouped: mayGroup(integration, settings),
    keepsOpen: typeof keepsOpen === 'function' ? keepsOpen(settings) : keepsOpen,
    hourly: hourlyLimitOf(settings),
    receiver: receiverOf(integration, settings),
  }
}

/** The key of the receiver that these settings name, and its limit of messages per minute; null if it has no limit. */
export function receiverOf(
  { kind, limit }: Integration,
  settings: ChannelSettings,
): ChannelRules['receiver'] {
  if (!limit) return null
  // A digest, so that the table does not reveal receivers.
  return { key: `receiver:${digestOf(`${kind} ${limit.key(settings)}`)}`, perMinute: limit.perMinute }
}
