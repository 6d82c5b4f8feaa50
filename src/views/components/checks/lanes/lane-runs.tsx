import type { Lane, LaneRun } from '../../../../core/checks/lanes/lane.js'
import { shownAt, wentWrong } from '../../../../core/checks/lanes/lane.js'
import { laneRunWords } from '../../../../core/checks/lanes/lane-words.js'
import { clockWords } from '../../../../core/time/instant.js'
import { link, type PageContext, zoneOf } from '../../../page-context.js'
import { byDay, DayHead } from '../../pings/by-day.js'
import { LastOutput, type ShownOutput } from '../../pings/last-output.js'
import { Time } from '../../time.js'

/** The maximum number of runs that are listed. */
const MOST = 100

interface Props {
  page: PageContext
  lane: Lane
  /** The output of the last run that went wrong; null if there is none. */
  output: ShownOutput | null
  /** The address of the timeline without this list. */
  close: string
}

/** The runs of one check in the range, with the output of the last one that went wrong. */
export function LaneRuns({ page, lane: { check, runs, incidents }, output, close }: Props) {
  return (
    <aside class="lane-runs" id="runs" aria-labelledby="runs-of" tabindex={-1}>
      <header>
        <h2 id="runs-of">
          <a href={link(page, `/checks/${check.uuid}/details/`)}>{check.name}</a>
        </h2>
        <a class="button button-quiet button-small" href={close} data-close-runs>
          Close
        </a>
      </header>
      {output ? <LastOutput page={page} checkUuid={check.uuid} output={output} /> : null}
      {runs.length === 0 ? <p class="muted">It did not run in this time.</p> : null}
      <ol class="run-lines">
        {byDay(page, runs.slice(-MOST), shownAt).map(({ entry: run, day }) => (
          <>
            <DayHead page={page} day={day} />
            <li class={wentWrong(run) ? 'is-wrong' : undefined}>
              <RunLine page={page} check={check.uuid} run={run} />
            </li>
          </>
        ))}
      </ol>
      {incidents.map(({ id, openedAt }) => (
        <p>
          <a href={link(page, `/projects/${check.project.uuid}/incidents/${id}/`)}>
            The incident of {clockWords(openedAt, page.now, zoneOf(page))}
          </a>
        </p>
      ))}
    </aside>
  )
}

/** `02:14 failed with exit status 2 after 3 min`, with a link to the ping, below the heading of its day. */
export function RunLine({ page, check, run }: { page: PageContext; check: string; run: LaneRun }) {
  const words = laneRunWords(run)
  return (
    <>
      <span class="figure">
        <Time page={page} at={shownAt(run)} show="time" />
      </span>{' '}
      {run.n === null ? words : <a href={link(page, `/checks/${check}/pings/${run.n}/`)}>{words}</a>}
    </>
  )
}
