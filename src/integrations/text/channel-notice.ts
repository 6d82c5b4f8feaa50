import type { Notice, Site } from '../../core/alerts/alert.js'
import type { Integration } from '../integration.js'

/** `refusing`: its receiver answers, and accepts nothing. */
export type Trouble = 'disabled' | 'unreachable' | 'refusing'

const KEEPS_TRYING = 'It keeps trying, and sends alerts that are still current when it can.'

/** What can be wrong with a channel, and what follows from it. */
const TROUBLES: Record<Trouble, { title: string; happened: string; follows: string }> = {
  disabled: {
    title: 'was disabled',
    happened: 'can no longer deliver through it',
    follows: 'Alerts will not go there until someone fixes and re-enables it.',
  },
  unreachable: {
    title: 'cannot be reached',
    happened: 'has not been able to deliver through it for a day',
    follows: KEEPS_TRYING,
  },
  refusing: {
    title: 'refuses alerts',
    happened: 'has received only errors from it for a day',
    follows: KEEPS_TRYING,
  },
}

/**
 * What the other channels of a project are sent when one of them can no longer be used, or when nothing has arrived through
 * it for a day, because of `error`.
 */
export function channelNotice(
  site: Site,
  channel: { uuid: string; name: string; settings: Record<string, string> },
  integration: Integration,
  { trouble, error }: { trouble: Trouble; error: string },
): Omit<Notice, 'now' | 'site'> {
  const { happened, follows } = TROUBLES[trouble]
  return {
    type: 'notice',
    title: channelTrouble(channel, integration, trouble),
    text: `${site.name} ${happened}: ${error}. ${follows}`,
    url: `${site.root}/integrations/${channel.uuid}/`,
  }
}

/** What is wrong with a channel, in a line. */
export function channelTrouble(
  channel: { name: string; settings: Record<string, string> },
  integration: Integration,
  trouble: Trouble,
): string {
  const label = channel.name || integration.describe(channel.settings)
  return `The ${integration.label} integration “${label}” ${TROUBLES[trouble].title}`
}
