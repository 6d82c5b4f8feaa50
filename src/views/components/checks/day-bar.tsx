import type { DayBar } from '../../../core/checks/history/uptime.js'
import { dateWords } from '../../../core/time/date-words.js'
import { runLength } from '../../../core/time/duration.js'

/** The last days as bars; the worst status of a day determines its bar. A day with a problem can be focused. */
export function DayBars({ days }: { days: readonly DayBar[] }) {
  return (
    <figure class="days">
      <ol class="day-bars" aria-label={`The last ${days.length} days`}>
        {days.map(day => (
          <Day day={day} />
        ))}
      </ol>
      <figcaption>
        <span>{dateWords(days[0]!.day)}</span>
        <span>today</span>
      </figcaption>
    </figure>
  )
}

function Day({ day }: { day: DayBar }) {
  const words = dayWords(day)
  const remarkable = day.downtimes > 0 || day.worst === 'paused'
  return (
    <li class={`day day-${day.worst ?? 'none'}`} title={words} tabindex={remarkable ? 0 : undefined}>
      <span class="sr-only">{words}</span>
    </li>
  )
}

const WORST_WORDS = { down: 'down', paused: 'paused', up: 'up', new: 'not pinged yet' }

/** `3 Jan 2026: down 2 times, 1 h 20 min`. */
export function dayWords(day: DayBar): string {
  const date = dateWords(day.day)
  if (day.worst === null) return `${date}: no data`
  if (day.downtimes === 0) return `${date}: ${WORST_WORDS[day.worst]}`
  const times = day.downtimes === 1 ? 'once' : `${day.downtimes} times`
  return `${date}: down ${times}, ${runLength(day.downtimeMs)}`
}
