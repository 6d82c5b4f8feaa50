import { clockWords, exactWords } from '../../core/time/instant.js'
import { shortRelative } from '../../core/time/relative-time.js'
import { type PageContext, zoneOf } from '../page-context.js'

interface Props {
  page: Pick<PageContext, 'now' | 'user'>
  /** In milliseconds; null shows `otherwise`. */
  at: number | null
  /** `exact` and `clock` (short, for sentences) show the instant, with the relative time in the title. */
  show?: 'relative' | 'exact' | 'clock'
  otherwise?: string
}

/** An instant both relative to now and exact, in the reader's time zone. A script updates the relative time. */
export function Time({ page, at, show = 'relative', otherwise = 'never' }: Props) {
  if (at === null) return <span class="muted">{otherwise}</span>
  const exact = exactWords(at, zoneOf(page))
  const relative = shortRelative(at, page.now)
  return (
    <time
      datetime={new Date(at).toISOString()}
      title={show === 'exact' ? relative : exact}
      data-relative={show === 'relative' ? '' : undefined}
    >
      {show === 'exact' ? exact : show === 'clock' ? clockWords(at, page.now, zoneOf(page)) : relative}
    </time>
  )
}
