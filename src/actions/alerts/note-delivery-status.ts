import type { Site } from '../../core/alerts/alert.js'
import { integrationOf } from '../../integrations/index.js'
import { ERROR_LENGTH } from '../../storage/alerts/settle/attempt.js'
import type { Store } from '../../storage/store.js'
import { composeChannelNotice } from './compose-channel-notice.js'

const HOUR_MS = 3_600_000

interface StatusReport {
  notificationUuid: string
  error: string
  /** Whether the service says that it carries nothing to this recipient any more. */
  disable: boolean
  /** Set if an e-mail bounced, and whether its recipient does not exist. */
  bounce?: { unknownRecipient: boolean }
  now: number
  /** How old (ms) the notification may be; default: an hour. */
  windowMs?: number
}

/** What was recorded, for the log; `outcome` is null where nothing was to be recorded any more. */
interface NotedReport {
  channel: string
  kind: string
  outcome: 'disable' | 'retry' | 'noted' | null
  unreachable: boolean
}

/**
 * Records what a service reports about a message that it had accepted. `disable`: disables the channel, and the
 * project's other channels send a notice about it. Returns null, and records nothing, if the notification is unknown
 * or too old. A report about a former recipient of the channel is recorded only in the log.
 */
export async function noteDeliveryStatus(
  deps: { store: Store; site: Site },
  { disable, bounce, windowMs = HOUR_MS, ...status }: StatusReport,
): Promise<NotedReport | null> {
  const since = status.now - windowMs
  const channel = await deps.store.alerts.notifiedChannel(status.notificationUuid, since)
  if (!channel) return null
  const integration = integrationOf(channel.kind)
  const compose = (trouble: 'disabled' | 'refusing') =>
    composeChannelNotice(deps, channel, integration!, { trouble, error: quoted(status.error) })
  const mayDisable = channel.isCurrent && !channel.disabled && integration !== undefined
  const { outcome, unreachable } = await deps.store.alerts.noteDeliveryStatus({
    ...status,
    since,
    disabled: disable && mayDisable ? compose('disabled') : null,
    ...(bounce &&
      mayDisable && {
        bounce: { ...bounce, disabled: compose('disabled'), unreachable: compose('refusing') },
      }),
  })
  return { channel: channel.uuid, kind: channel.kind, outcome, unreachable }
}

/** A service's words as such: quoted, in one line, so that they do not pass for ours. */
function quoted(error: string): string {
  const words = error.replace(/[\s\p{C}“”]+/gu, ' ').trim()
  return `the service says “${words.slice(0, ERROR_LENGTH)}”`
}
