import type { SilenceTimes } from '../../../core/silences/silence.js'
import type { SilenceProblem } from '../../../core/silences/silence-problem.js'
import { recurringWords } from '../../../core/silences/silence-words.js'
import { nextChangeAfter } from '../../../core/silences/windows.js'
import { runLength } from '../../../core/time/duration.js'
import { exactWords } from '../../../core/time/instant.js'
import { type PageContext, zoneOf } from '../../page-context.js'

interface Props {
  page: Pick<PageContext, 'now' | 'user'>
  times: SilenceTimes | SilenceProblem
}

const SHOWN = 5

/** The next windows of a silence, by the reader's clock. */
export function WindowsPreview({ page, times }: Props) {
  if ('problem' in times) {
    return (
      <div class="preview">
        <p class="muted">{times.problem}</p>
      </div>
    )
  }
  const zone = zoneOf(page)
  const windows = nextWindows(times, page.now)
  return (
    <div class="preview">
      <p class="preview-words">{times.kind === 'once' ? 'Once' : recurringWords(times)}</p>
      <div class="table-scroll">
        <table class="rows next-runs">
          <caption class="sr-only">The next windows</caption>
          <thead>
            <tr>
              <th scope="col">From, {zone}</th>
              <th scope="col">Until</th>
              <th scope="col">Length</th>
            </tr>
          </thead>
          <tbody>
            {windows.map(({ from, to }) => (
              <tr>
                <td>{exactWords(from, zone)}</td>
                <td>{exactWords(to, zone)}</td>
                <td>{runLength(to - from)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function nextWindows(times: SilenceTimes, now: number): { from: number; to: number }[] {
  const silence = { times, endedAt: null }
  const windows: { from: number; to: number }[] = []
  // A window may begin at this instant.
  let at: number | null = Math.max(now, times.from) - 1
  while (windows.length < SHOWN && at !== null) {
    const from = nextChangeAfter(silence, at)
    const to = from === null ? null : nextChangeAfter(silence, from)
    if (from !== null && to !== null) windows.push({ from, to })
    at = to
  }
  return windows
}
