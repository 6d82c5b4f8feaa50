import { droppedWords, heldWords } from '../../../core/incidents/entry-words.js'
import type { ExplainedChannel } from '../../../core/incidents/explanation.js'
import { plural } from '../../../core/text/plural.js'
import type { PageContext } from '../../page-context.js'
import { ChannelLink } from '../channels/channel-link.js'
import { Time } from '../time.js'

interface Props {
  page: PageContext
  channels: readonly ExplainedChannel[]
}

/** What each integration was sent about a check, and what waits, is held or was dropped, and why. */
export function CheckAlerts({ page, channels }: Props) {
  return (
    <dl class="facts check-alerts">
      {channels.map(one => (
        <>
          <dt>
            <ChannelLink page={page} channel={one.channel} />
          </dt>
          <dd>
            <What page={page} one={one} />
          </dd>
        </>
      ))}
    </dl>
  )
}

function What({ page, one }: { page: PageContext; one: ExplainedChannel }) {
  const { unusable, reportedAt, last, dropped, waiting, holds } = one
  const at = (ms: number) => <Time page={page} at={ms} show="clock" />
  const [waits, drop] = [waiting[0], dropped.at(-1)]
  if (unusable === 'disabled') return <>disabled</>
  if (unusable === 'unconfirmed') return <>its e-mail address is not confirmed</>
  if (waits?.isSending) return <>sending</>
  if (holds.length > 0 && reportedAt === null) {
    return (
      <>
        held by{' '}
        {holds.map(({ reason, name, until }, index) => (
          <>
            {index > 0 ? ', ' : ''}
            {reason === 'dependency' ? name : name === '' ? 'a silence' : `silence “${name}”`}
            {reason === 'silence' ? <> until {at(until)}</> : null}
          </>
        ))}
      </>
    )
  }
  if (waits && waits.heldBy !== null) {
    const words = heldWords({ reason: waits.heldBy, text: '' })
    return (
      <>
        waits: {words}
        {waits.dueAt === null ? null : <>, next {at(waits.dueAt)}</>}
      </>
    )
  }
  if (waits && waits.attempts > 0 && last) {
    return (
      <span class="state-bad">
        not delivered ({last.error.replace(/\.$/, '')}), {plural(waits.attempts, 'attempt')}
        {waits.dueAt === null ? null : <>, next {at(waits.dueAt)}</>}
      </span>
    )
  }
  if (waits) return <>waits to be sent</>
  if (reportedAt !== null) return <>sent {at(reportedAt)}</>
  if (drop) return <>not sent: {droppedWords(drop)}</>
  if (last !== null && last.error !== '') return <span class="state-bad">not delivered: {last.error}</span>
  return <>nothing sent</>
}
