import { nextExpected } from '../../../core/checks/next-expected.js'
import { plural } from '../../../core/text/plural.js'
import { monthWords } from '../../../core/time/date-words.js'
import { runLength } from '../../../core/time/duration.js'
import { exactWords } from '../../../core/time/instant.js'
import type { CheckPageProps } from '../../check-page.js'
import { zoneOf } from '../../page-context.js'
import { Duration } from '../duration.js'
import { Time } from '../time.js'
import { otherZone } from './schedule-words.js'
import { UntilDue } from './until-due.js'

/** Three figures: the next ping, the usual duration, and the reliability. */
export function CheckFigures(props: Pick<CheckPageProps, 'page' | 'check' | 'state' | 'usual' | 'months'>) {
  const { usual, months } = props
  return (
    <dl class="figures" id="figures" data-part>
      <div>
        <dt>Expected next</dt>
        <dd>
          <Next {...props} />
        </dd>
      </div>
      <div>
        <dt>Usual duration</dt>
        <dd>
          {usual ? (
            <>
              <strong>
                <Duration ms={usual.medianMs} />
              </strong>
              <span class="second">
                Median of {plural(usual.runs, 'run')}; 95 % finish within {runLength(usual.p95Ms)}
              </span>
            </>
          ) : (
            <>
              <strong class="muted">–</strong>
              <span class="second">
                Send <code>/start</code> when a run begins to measure it
              </span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Uptime</dt>
        <dd>
          <table>
            <tbody>
              {months.map((month, index) => (
                <Month month={month} name={monthName(months, index)} />
              ))}
            </tbody>
          </table>
        </dd>
      </div>
    </dl>
  )
}

type Months = CheckPageProps['months']

function Month({ month, name }: { month: Months[number]; name: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="right">{month && month.uptime !== null ? `${month.uptime.toFixed(2)} %` : '–'}</td>
      <td class="muted">{downtimeWords(month)}</td>
    </tr>
  )
}

function downtimeWords(month: Months[number]): string {
  if (month === null) return 'before it was created'
  if (month.uptime === null) return 'not pinged, or paused'
  if (month.downtimes === 0) return 'never down'
  return `${plural(month.downtimes, 'downtime')}, ${runLength(month.downtimeMs)}`
}

/** Months without figures are named too: they follow one another backwards. */
function monthName(months: Months, index: number): string {
  return monthWords(months[0]!.month - index)
}

function Next({ page, check, state }: Pick<CheckPageProps, 'page' | 'check' | 'state'>) {
  const zone = otherZone(check, zoneOf(page))
  const next = nextExpected(check, state.status, page.now)
  if (next === null) {
    return (
      <>
        <strong class="muted">–</strong>
        <span class="second">{check.status === 'paused' ? 'while it is paused' : 'after the next ping'}</span>
      </>
    )
  }
  return (
    <>
      <strong>
        <Time page={page} at={next} />
      </strong>
      {state.status === 'down' || check.lastPing === null ? null : (
        <UntilDue from={check.lastPing} due={next} now={page.now} />
      )}
      <span class="second">
        <Time page={page} at={next} show="exact" />
      </span>
      {zone === null ? null : <span class="second">{exactWords(next, zone)}</span>}
    </>
  )
}
