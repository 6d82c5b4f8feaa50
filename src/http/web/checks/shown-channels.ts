import { distinctMarks } from '../../../core/checks/distinct-marks.js'
import { integrationOf, integrations } from '../../../integrations/index.js'
import { appendTo } from '../../../lib/append-to.js'
import type { Channel } from '../../../storage/channels/channels.js'
import type { ShownChannel, SignedChannel } from '../../../views/components/channels/channel-toggle.js'
import { titleOf } from '../channels/form-values.js'
import type { WebContext } from '../context.js'

/** The logos of all kinds. */
export const logos: Readonly<Record<string, string>> = Object.fromEntries(
  integrations.map(({ kind, logo }) => [kind, logo]),
)

/** Channels for signs and lists: by name or destination, without settings, which may be secret. */
export function shownChannels(channels: readonly Channel[]): ShownChannel[] {
  return channels.map(channel => ({
    uuid: channel.uuid,
    kind: channel.kind,
    name: titleOf(channel),
    label: integrationOf(channel.kind)?.label ?? channel.kind,
  }))
}

/** Channels for a row: those of one kind are distinguished, and those that do not work are marked. */
export function signedChannels(channels: readonly Channel[]): SignedChannel[] {
  const shown = shownChannels(channels)
  const byKind = new Map<string, ShownChannel[]>()
  for (const channel of shown) appendTo(byKind, channel.kind, channel)
  const marks = new Map<ShownChannel, string>()
  for (const alike of byKind.values()) {
    if (alike.length < 2) continue
    const distinct = distinctMarks(alike.map(({ name, label }) => name || label))
    for (const [place, channel] of alike.entries()) marks.set(channel, distinct[place]!)
  }
  return shown.map((channel, index) => ({
    ...channel,
    mark: marks.get(channel) ?? null,
    trouble: troubleOf(channels[index]!),
  }))
}

function troubleOf({ disabled, confirmed, lastError }: Channel): string | null {
  if (disabled) return 'it is disabled'
  if (!confirmed) return 'its e-mail address is not confirmed'
  return lastError === '' ? null : `its last notification failed: ${lastError}`
}

/** Returns a function from a project's channels, as named in events, to the names that users know. */
export async function channelNamer(c: WebContext, projectId: number) {
  const channels = shownChannels(await c.var.deps.store.channels.list(projectId))
  const byUuid = new Map(channels.map(channel => [channel.uuid, channel]))
  return <T extends { uuid: string; name: string; kind: string }>(channel: T): T & ShownChannel => {
    const { name, label } = byUuid.get(channel.uuid) ?? { name: channel.name, label: channel.kind }
    return { ...channel, name: name || label, label }
  }
}

type Namer = Awaited<ReturnType<typeof channelNamer>>

/** Events with the names of the channels of their notifications. */
export function withNamedChannels<
  T extends
    | { type: string }
    | { type: 'notification'; notification: { channel: { uuid: string; name: string; kind: string } } },
>(events: readonly T[], named: Namer): T[] {
  return events.map(event => {
    if (!('notification' in event)) return event
    const { notification } = event
    return { ...event, notification: { ...notification, channel: named(notification.channel) } }
  })
}
