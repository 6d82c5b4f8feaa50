import { integrationOf, integrations } from '../../../integrations/index.js'
import type { ShownChannel } from '../../../views/components/channel-toggle.js'

/** Our own drawings of all kinds. */
export const logos: Readonly<Record<string, string>> = Object.fromEntries(
  integrations.map(({ kind, logo }) => [kind, logo]),
)

/** Channels as signs and lists show them: without settings, which may be secret. */
export function shownChannels<T extends { uuid: string; name: string; kind: string }>(
  channels: readonly T[],
): (T & ShownChannel)[] {
  return channels.map(channel => ({ ...channel, label: integrationOf(channel.kind)?.label ?? channel.kind }))
}
