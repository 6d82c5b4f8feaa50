import type { Site } from '../../core/alerts/alert.js'
import { integrationOf } from '../../integrations/index.js'
import { ERROR_LENGTH } from '../../storage/alerts/settle/attempt.js'
import type { Store } from '../../storage/store.js'
import { composeChannelNotice } from './compose-channel-notice.js'

const HOUR_MS = 3_600_000

/**
 * Records what a service reports about a message that it had accepted. `disable`: disables the channel, and the
 * project's other channels send a notice about it. Returns false, and records nothing, if the notification is unknown
 * or older than `windowMs` (default: an hour). A report about a former recipient of the channel is recorded only in
 * the log.
 */
export async function noteDeliveryStatus(
  deps: { store: Store; site: Site },
  report: { notificationUuid: string; error: string; disable: boolean; now: number; windowMs?: number },
): Promise<boolean> {
  const { disable, windowMs = HOUR_MS, ...status } = report
  const since = status.now - windowMs
  const channel = await deps.store.alerts.notifiedChannel(status.notificationUuid, since)
  if (!channel) return false
  const integration = integrationOf(channel.kind)
  const disabled =
    disable && channel.isCurrent && !channel.disabled && integration
      ? composeChannelNotice(deps, channel, integration, { trouble: 'disabled', error: quoted(status.error) })
      : null
  await deps.store.alerts.noteDeliveryStatus({ ...status, since, disabled })
  return true
}

/** A service's words as such: quoted, in one line, so that they do not pass for ours. */
function quoted(error: string): string {
  const words = error.replace(/[\s\p{C}“”]+/gu, ' ').trim()
  return `the service says “${words.slice(0, ERROR_LENGTH)}”`
}
