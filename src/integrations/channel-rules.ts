import type { ChannelRules } from '../core/alerts/delivery/channel-rules.js'
import { digestOf } from '../lib/secrets/secrets.js'
import { hourlyLimitOf, mayGroup } from './common-fields.js'
import type { ChannelSettings } from './field.js'
import { integrationOf } from './index.js'
import type { Integration } from './integration.js'

/** The rules for messages of a channel; null where this version does not know its kind. */
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

/** How many messages a minute the receiver behind these settings takes, and what names it; null for any number. */
export function receiverOf(
  { kind, limit }: Integration,
  settings: ChannelSettings,
): ChannelRules['receiver'] {
  if (!limit) return null
  // A digest, so that the table tells nothing of who is told.
  return { key: `receiver:${digestOf(`${kind} ${limit.key(settings)}`)}`, perMinute: limit.perMinute }
}
