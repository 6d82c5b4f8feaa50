/** The channels of a check, as signs. */
import { WarningSign } from '../warning-sign.js'

/** A channel of the project, as lists show it. */
export interface ShownChannel {
  uuid: string
  name: string
  kind: string
  /** The label of the kind, for a channel without a name. */
  label: string
}

/** A channel for its sign. */
export interface SignedChannel extends ShownChannel {
  /** Distinguishes it from other channels of its kind; null if it is the only one. */
  mark: string | null
  /** Why it does not work: `its last notification failed: …`; null if it works. */
  trouble: string | null
}

interface Props {
  base: string
  checkUuid: string
  channel: SignedChannel
  on: boolean
  /** Whether the reader may switch it. */
  mayChange: boolean
  /** Whether it is shown only where a line has room for all. */
  isExtra: boolean
}

/**
 * A channel's sign, which switches the channel on or off for the check. It requires a surrounding form with the token.
 */
export function ChannelToggle({ base, checkUuid, channel, on, mayChange, isExtra }: Props) {
  const shown = {
    class: `channel${on ? ' on' : ''}${isExtra ? ' is-extra' : ''}`,
    title: toggleTitle(channel, on, mayChange),
  }
  if (!mayChange) {
    return on ? (
      <span {...shown}>
        <Sign channel={channel} />
      </span>
    ) : null
  }
  return (
    <button
      type="submit"
      formaction={`${base}/checks/${checkUuid}/channels/${channel.uuid}/enabled`}
      name="state"
      value={on ? 'off' : 'on'}
      aria-pressed={on ? 'true' : 'false'}
      data-stay
      {...shown}
    >
      <Sign channel={channel} />
    </button>
  )
}

/** `Backups: on; its last notification failed: refused`. */
export function toggleTitle(
  { name, label, trouble }: SignedChannel,
  on: boolean,
  mayChange: boolean,
): string {
  const title = `${name || label}${mayChange ? `: ${on ? 'on' : 'off'}` : ''}`
  return trouble === null ? title : `${title}; ${trouble}`
}

function Sign({ channel }: { channel: SignedChannel }) {
  const { kind, name, label, mark, trouble } = channel
  return (
    <>
      <ChannelSign kind={kind} />
      {mark === null ? null : (
        <span class="channel-mark" aria-hidden="true">
          {mark}
        </span>
      )}
      {trouble === null ? null : <WarningSign />}
      <span class="sr-only">
        {name || label}
        {trouble === null ? '' : `, ${trouble}`}
      </span>
    </>
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
