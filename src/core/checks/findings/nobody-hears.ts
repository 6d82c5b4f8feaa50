import { plural } from '../../text/plural.js'
import type { Finder } from './finding.js'

/** Its alerts reach nobody, or nobody knows whether they do. */
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
