import type { PropsWithChildren } from 'hono/jsx'
import type { PageContext } from '../../page-context.js'
import { Time } from '../time.js'

interface Props {
  page: PageContext
  /** When the last and the first of them were. */
  at: number
  from: number
  count: number
  /** What each was, and the first line of its output. */
  kind: string
  line: string
}

/** `12 equal failures, 02:10 to 04:00`, which opens. */
export function EqualFailures({ page, at, from, count, kind, line, children }: PropsWithChildren<Props>) {
  return (
    <details class="equal-failures">
      <summary class="event-link">
        <span class="event-at">
          <Time page={page} at={at} show="time" />
        </span>
        <span class="event-kind kind-fail">{kind}</span>
        <span class="event-what">
          <span>
            {count} equal failures, <Time page={page} at={from} show="time" /> to{' '}
            <Time page={page} at={at} show="time" />
          </span>
          {line === '' ? null : <span class="event-body">{line}</span>}
        </span>
      </summary>
      <ol>{children}</ol>
    </details>
  )
}
