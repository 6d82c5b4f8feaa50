import { clockWords, exactWords, timeOfDay } from '../../core/time/instant.js'
import { shortRelative } from '../../core/time/relative-time.js'
import { type PageContext, zoneOf } from '../page-context.js'

interface Props {
  page: Pick<PageContext, 'now' | 'user'>
  /** In milliseconds; null shows `otherwise`. */
  at: number | null
  /** `exact`, `clock` (short, for sentences) and `time` (under the heading of a day) show the instant. */
  show?: 'relative' | 'exact' | 'clock' | 'time'
  otherwise?: string
}

/** An instant both relative to now and exact, in the reader's time zone. A script updates the relative time. */
export function Time({ page, at, show = 'relative', otherwise = 'never' }: Props) {
  if (at === null) return <span class="muted">{otherwise}</span>
  const zone = zoneOf(page)
  const exact = exactWords(at, zone)
  const relative = () => shortRelative(at, page.now)
  const words = {
    relative,
    exact: () => exact,
    clock: () => clockWords(at, page.now, zone),
    time: () => timeOfDay(at, zone),
  }
  return (
    <time
      datetime={new Date(at).toISOString()}
      title={show === 'exact' ? relative() : exact}
      data-relative={show === 'relative' ? '' : undefined}
    >
      {words[show]()}
    </time>
  )
}
