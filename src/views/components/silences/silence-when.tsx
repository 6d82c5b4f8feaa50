import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { recurringWords } from '../../../core/silences/silence-words.js'
import { type PageContext, zoneOf } from '../../page-context.js'
import { Time } from '../time.js'

interface Props {
  page: Pick<PageContext, 'now' | 'user'>
  silence: ShownSilence
}

/** When a silence is active: `until 14:00`, `next Sunday 02:00`, and how it recurs. */
export function SilenceWhen({ page, silence }: Props) {
  const { times } = silence
  return (
    <>
      <Next page={page} silence={silence} />
      {times.kind === 'once' ? null : (
        <span class="second">
          {recurringWords(times)}
          {times.tz === zoneOf(page) ? '' : `, ${times.tz}`}
        </span>
      )}
    </>
  )
}

function Next({ page, silence }: Props) {
  const { state, changesAt, times, endedAt, overAt } = silence
  const clock = (at: number | null) => <Time page={page} at={at} show="clock" otherwise="further notice" />
  if (state === 'active') return <>until {clock(changesAt)}</>
  if (state === 'coming') {
    return (
      <>
        {times.kind === 'once' ? 'from' : 'next'} {clock(changesAt)}
        {times.kind === 'once' ? <> until {clock(times.to)}</> : null}
      </>
    )
  }
  if (times.kind === 'once' && endedAt !== null && endedAt <= times.from)
    return <>cancelled {clock(endedAt)}, before it began</>
  return (
    <>
      {clock(times.from)} until {clock(overAt)}
      {times.kind === 'once' && endedAt !== null && endedAt === overAt ? ', ended early' : null}
    </>
  )
}
