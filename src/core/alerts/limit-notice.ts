import { plural } from '../text/plural.js'
import { clockWordsWithZone } from '../time/instant.js'
import type { Notice, Site } from './alert.js'

/** The notice that a channel's `hourly` messages an hour are used up, until `until` by the recipients' clock (`tz`). */
export function limitNotice(
  site: Site,
  channel: { uuid: string },
  { holds, hourly, until }: { holds: 'all' | 'all but down alerts'; hourly: number; until: number },
  now: number,
  tz: string,
): Omit<Notice, 'now' | 'site'> {
  const what = holds === 'all' ? 'further ones' : 'recoveries'
  const others = holds === 'all' ? '' : 'Down alerts are sent at once. '
  return {
    type: 'notice',
    title: `${plural(hourly, 'message')} in the last hour: ${what} are held until ${clockWordsWithZone(until, now, tz)}`,
    text:
      `${others}What is held will then be summarised in one message. ` +
      'The limit is set where the integration is edited.',
    url: `${site.root}/integrations/${channel.uuid}/`,
  }
}
