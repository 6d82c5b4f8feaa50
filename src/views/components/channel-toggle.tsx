/** The integrations that a check tells, as signs. */

/** A channel of the project, as far as a sign needs it. */
export interface ShownChannel {
  uuid: string
  name: string
  kind: string
  /** The kind in words, for a channel without a name. */
  label: string
}

interface Props {
  base: string
  checkUuid: string
  channel: ShownChannel
  on: boolean
  /** Whether the reader may switch it. */
  mayChange: boolean
}

/** A channel's sign; it switches the channel for the check. It stands in a form that carries the token. */
export function ChannelToggle({ base, checkUuid, channel, on, mayChange }: Props) {
  const name = channel.name || channel.label
  if (!mayChange) {
    return on ? (
      <span class="channel on" title={name}>
        <ChannelSign kind={channel.kind} />
        <span class="sr-only">{name}</span>
      </span>
    ) : null
  }
  return (
    <button
      type="submit"
      class={on ? 'channel on' : 'channel'}
      formaction={`${base}/checks/${checkUuid}/channels/${channel.uuid}/enabled`}
      name="state"
      value={on ? 'off' : 'on'}
      aria-pressed={on ? 'true' : 'false'}
      title={`${name}: ${on ? 'on' : 'off'}`}
    >
      <ChannelSign kind={channel.kind} />
      <span class="sr-only">{name}</span>
    </button>
  )
}

/** The sign of a kind; see {@link ChannelSigns}. */
export function ChannelSign({ kind }: { kind: string }) {
  return (
    <svg class="channel-sign" aria-hidden="true">
      <use href={`#kind-${kind}`} />
    </svg>
  )
}
