import { are, plural } from '../../text/plural.js'
import type { Finder } from './finding.js'

/** Finds checks whose alerts reach nobody, or have never been proven to arrive. */
export const nobodyHears: Finder = ({ channels, policy }) => {
  const enabled = channels.filter(channel => channel.enabled)
  if (enabled.some(channel => channel.delivered)) return null
  return { code: 'nobody_hears', evidence: evidenceOf(channels.length, enabled.length, policy) }
}

function evidenceOf(all: number, enabled: number, policy: string | null): string {
  if (all === 0) {
    return `${policy === null ? 'It has' : `Its policy “${policy}” reaches`} no integration, so no alert is sent.`
  }
  const whose = policy === null ? '' : ` of its policy “${policy}”`
  const its = policy === null ? 'its' : 'the'
  if (enabled > 0)
    return `No delivery through ${its} ${plural(enabled, 'integration')}${whose} is on record: send a test.`
  const Its = policy === null ? 'Its' : 'The'
  return `${Its} ${plural(all, 'integration')}${whose} ${are(all)} disabled, so no alert is sent.`
}
