import type { Notice, Site } from '../../core/alerts/alert.js'
import type { Integration } from '../../integrations/integration.js'

/** What the other channels of a project say when nothing has arrived through one of them for a day, because of `error`. */
export function unreachableNotice(
  site: Site,
  channel: { uuid: string; name: string; settings: Record<string, string> },
  integration: Integration,
  error: string,
): Omit<Notice, 'now' | 'site'> {
  const label = channel.name || integration.describe(channel.settings)
  return {
    type: 'notice',
    title: `The ${integration.label} integration “${label}” cannot be reached`,
    text:
      `${site.name} has not been able to deliver through it for a day: ${error}. ` +
      'It keeps trying, and sends what is still true when it can.',
    url: `${site.root}/integrations/${channel.uuid}/`,
  }
}
