import type { Notice, Site } from '../../core/alerts/alert.js'
import type { Integration } from '../../integrations/integration.js'

/** What the other channels of a project say when one of them can no longer be used because of `error`. */
export function disabledNotice(
  site: Site,
  channel: { name: string; settings: Record<string, string> },
  integration: Integration,
  error: string,
): Omit<Notice, 'now' | 'site'> {
  const label = channel.name || integration.describe(channel.settings)
  return {
    type: 'notice',
    title: `The ${integration.label} integration “${label}” was disabled`,
    text:
      `${site.name} can no longer deliver through it: ${error}. ` +
      'Alerts will not go there until someone sets it right and enables it again.',
    url: site.root,
  }
}
