import { plural } from '../../text/plural.js'
import type { Finder } from './finding.js'

/** Finds checks whose alerts reach nobody, or have never been proven to arrive. */
export const nobodyHears: Finder = ({ channels }) => {
  const enabled = channels.filter(channel => channel.enabled)
  if (enabled.some(channel => channel.delivered)) return null
  const evidence =
    channels.length === 0
      ? 'It has no channel, so no alert is sent.'
      : enabled.length === 0
        ? `Its ${plural(channels.length, 'channel')} ${channels.length === 1 ? 'is' : 'are'} disabled, so no alert is sent.`
        : `Nothing was ever delivered through its ${plural(enabled.length, 'channel')}: send a test.`
  return { code: 'nobody_hears', evidence }
}
