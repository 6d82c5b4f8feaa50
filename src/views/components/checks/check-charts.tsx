import { runLimitMs } from '../../../core/checks/status.js'
import type { CheckPageProps } from '../../check-page.js'
import { link } from '../../page-context.js'
import { DayBars } from './day-bar.js'
import { DurationChart } from './duration-chart.js'

/** The maximum number of runs in the chart; the list has all of them. */
const DRAWN = 200

/** The last days of a check, as links to their events. */
export function Days({ page, check, days }: Pick<CheckPageProps, 'page' | 'check' | 'days'>) {
  return (
    <section class="section" id="days" data-part>
      <h2>The last {days.length} days</h2>
      <DayBars days={days} log={link(page, `/checks/${check.uuid}/log/`)} />
    </section>
  )
}

/** How long the runs of a check took. Hidden until a run has a duration. */
export function Durations({ page, runs, check }: Pick<CheckPageProps, 'page' | 'runs' | 'check'>) {
  const timed = runs.filter(run => run.durationMs !== null)
  return (
    <section class="section" id="durations" data-part hidden={timed.length === 0}>
      {timed.length === 0 ? null : (
        <>
          <h2>Run duration</h2>
          <figure class="chart-scroll" aria-label="Run duration" tabindex={0}>
            <DurationChart page={page} runs={timed.slice(-DRAWN)} limitMs={runLimitMs(check)} />
          </figure>
        </>
      )}
    </section>
  )
}
