import type { TimelineNotification } from '../../../core/checks/history/timeline.js'
import { plural } from '../../../core/text/plural.js'
import type { PageContext } from '../../page-context.js'
import { Time } from '../time.js'
import { hasFailed, sendingWords, whyNeedless } from './sending-words.js'

interface Props {
  page: PageContext
  /** Notifications about one change, the first one first. */
  sent: readonly TimelineNotification[]
}

/** What became of them in a few words: `Alert sent` if anyone got it. */
export function SentWords({ sent }: Pick<Props, 'sent'>) {
  const best = ['sent', 'sending', 'failed', 'needless']
    .map(result => sent.find(({ error }) => resultOf(error) === result))
    .find(found => found !== undefined)!
  const words = sendingWords(best.checkStatus, best.error)
  return <span class={hasFailed(best.error) ? 'state-bad' : undefined}>{words}</span>
}

function resultOf(error: string): 'sent' | 'sending' | 'failed' | 'needless' {
  if (error === '') return 'sent'
  if (hasFailed(error)) return 'failed'
  return whyNeedless(error) === null ? 'sending' : 'needless'
}

/** The number of names that stand outside the fold. */
const NAMED = 3

/** The channels that they went to, several folded; those that were not reached stand outside the fold. */
export function SentTo({ page, sent }: Props) {
  const failed = sent.filter(({ error }) => resultOf(error) === 'failed')
  const needless = sent.filter(({ error }) => resultOf(error) === 'needless')
  const others = sent.filter(({ error }) => ['sent', 'sending'].includes(resultOf(error)))
  return (
    <>
      {others.length > 1 ? <Folded page={page} sent={others} /> : null}
      {others.length === 1 ? <Delivery page={page} notification={others[0]!} /> : null}
      {failed.map(notification => (
        <span class="sent-failed">
          {others.length === 0 ? '' : 'Not delivered to '}
          <Delivery page={page} notification={notification} />
        </span>
      ))}
      {needless.map(notification => (
        <span class="sent-needless">
          {others.length + failed.length === 0 ? '' : 'Not sent to '}
          <Delivery page={page} notification={notification} />
        </span>
      ))}
    </>
  )
}

function Folded({ page, sent }: Props) {
  // Not “1 more”, which takes no less room than the name.
  const named = sent
    .slice(0, sent.length > NAMED + 1 ? NAMED : sent.length)
    .map(({ channel }) => channel.name)
  const rest = sent.length - named.length
  return (
    <details class="sent-fold">
      <summary>{rest === 0 ? named.join(', ') : `${named.join(', ')}, ${rest} more`}</summary>
      <ul>
        {sent.map(notification => (
          <li>
            <Time page={page} at={notification.at} show="time" />{' '}
            <Delivery page={page} notification={notification} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** One channel, with how often it was tried and what went wrong. */
function Delivery({ page, notification }: { page: PageContext; notification: TimelineNotification }) {
  const { channel, error } = notification
  return (
    <>
      {channel.name}
      <Attempts page={page} notification={notification} />
      {afterName(error)}
    </>
  )
}

function afterName(error: string): string {
  if (error === 'Sending') return ' (sending)'
  const why = hasFailed(error) ? error : whyNeedless(error)
  return why === null ? '' : `: ${why}`
}

/** The number of attempts at a notification; nothing if there was only one. */
function Attempts({ page, notification }: { page: PageContext; notification: TimelineNotification }) {
  const { attempts, lastAt } = notification
  if (attempts === 1) return null
  return (
    <>
      , {plural(attempts, 'attempt')}, the last at <Time page={page} at={lastAt} show="clock" />
    </>
  )
}
