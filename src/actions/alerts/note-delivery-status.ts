import type { Site } from '../../core/alerts/alert.js'
import { integrationOf } from '../../integrations/index.js'
import { channelNotice } from '../../integrations/text/channel-notice.js'
import type { Changes } from '../../lib/changes.js'
import type { Store } from '../../storage/store.js'

const HOUR_MS = 3_600_000

/**
 * Notes what became of a message after a service took it; `disable`: its channel is to be used no more, which the
 * project's other channels tell. News of unknown notifications, and of those older than `windowMs` (an hour), are
 * ignored; then the result is false. What concerns a recipient that the channel had before is noted in the log alone.
 */
export async function noteDeliveryStatus(
  deps: { store: Store; changes: Changes; site: Site },
  report: { notificationUuid: string; error: string; disable: boolean; now: number; windowMs?: number },
): Promise<boolean> {
  const { disable, windowMs = HOUR_MS, ...status } = report
  const since = status.now - windowMs
  const channel = await deps.store.alerts.notifiedChannel(status.notificationUuid, since)
  if (!channel) return false
  const integration = integrationOf(channel.kind)
  const disabled =
    disable && channel.isCurrent && !channel.disabled && integration
      ? channelNotice(deps.site, channel, integration, { trouble: 'disabled', error: status.error })
      : null
  await deps.store.alerts.noteDeliveryStatus({ ...status, since, disabled })
  if (disabled) deps.changes.emit('deliveries', {})
  return true
}
