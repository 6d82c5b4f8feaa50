import { withRemedy } from '../../../lib/http/fetch-error.js'
import type { PageContext } from '../../page-context.js'
import { Time } from '../time.js'

/** The facts about how a channel works. */
export interface ChannelHealth {
  disabled: boolean
  /** False until the owner of its address has consented. */
  confirmed: boolean
  lastNotify: number | null
  lastError: string
}

/** Whether the channel works, in words: the last attempt and its error. */
export function ChannelState({ page, health }: { page: PageContext; health: ChannelHealth }) {
  const { disabled, confirmed, lastNotify, lastError } = health
  if (disabled) {
    return (
      <span class="state-bad">
        <strong>Disabled</strong>
        {lastError ? `: ${withRemedy(lastError)}` : ''}
      </span>
    )
  }
  if (!confirmed) {
    return (
      <span class="state-bad">
        <strong>E-mail not verified</strong>: the link that was sent there has not been opened
      </span>
    )
  }
  if (lastNotify === null) return <span class="muted">Not used yet</span>
  if (lastError !== '') {
    return (
      <span class="state-bad">
        <strong>Failed</strong> <Time page={page} at={lastNotify} />: {withRemedy(lastError)}
      </span>
    )
  }
  return (
    <span>
      Delivered <Time page={page} at={lastNotify} />
    </span>
  )
}
