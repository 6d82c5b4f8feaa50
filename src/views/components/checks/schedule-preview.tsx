import type { Timing } from '../../../core/checks/check.js'
import type { Settings } from '../../../core/checks/check-fields.js'
import { errorsByInput, type FormErrors } from '../../../core/checks/check-form.js'
import { alertWords } from '../../../core/checks/health/alert-words.js'
import { startTimeMs } from '../../../core/checks/health/rules.js'
import { isTolerated } from '../../../core/checks/health/tally.js'
import { runLimitMs } from '../../../core/checks/status.js'
import type { Upcoming } from '../../../core/schedule/index.js'
import { previewSchedule } from '../../../core/schedule/schedule-preview.js'
import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { silenceLabel } from '../../../core/silences/silence-words.js'
import { activeAt } from '../../../core/silences/windows.js'
import { periodWords } from '../../../core/time/duration.js'
import { exactWords } from '../../../core/time/instant.js'
import { type PageContext, zoneOf } from '../../page-context.js'
import { Time } from '../time.js'
import { DeadlineLine } from './deadline-line.js'

interface Props {
  page: Pick<PageContext, 'now' | 'user'>
  /** A check with the schedule, or the problem with it. */
  timing: Settings | { errors: FormErrors }
  /** The silences that concern the check and are not over. */
  silences: readonly ShownSilence[]
}

/**
 * The meaning of a schedule: in words, the next runs in two time zones, and when alerts would be sent. Problems are
 * shown at their fields.
 */
export function SchedulePreview({ page, timing, silences }: Props) {
  if ('errors' in timing) {
    return (
      <div id="preview" class="preview" data-errors={JSON.stringify(errorsByInput(timing.errors))}>
        <p class="muted">The next runs are shown here once the schedule is valid.</p>
      </div>
    )
  }
  const isExpected = (instant: number) => silenceAt(silences, instant)?.mode !== 'expect_nothing'
  const { words, runs, expectedAt, alertAt } = previewSchedule(timing, page.now, SHOWN, isExpected)
  const limit = runLimitMs(timing)
  const isCounted = isTolerated('missed', timing)
  const zone = zoneOf(page)
  return (
    <div id="preview" class="preview" data-alert-words={alertWords(timing)}>
      <p class="preview-words">
        {words ?? `Every ${periodWords(timing.periodSeconds).replace(/^1 (?=\w+$)/, '')} after the last ping`}
      </p>
      {expectedAt === null || alertAt === null ? (
        <p>
          {runs.length === 0
            ? 'This schedule has ended: no further run is expected.'
            : 'Because of silences, none of these runs is expected.'}
        </p>
      ) : (
        <>
          <p>
            If it pings now, the next is due <Time page={page} at={expectedAt} show="clock" />
            {timing.kind === 'simple' || timing.tz === zone ? null : ` in ${zone}`}. Then it is late, and{' '}
            <strong>{isCounted ? 'a failure is counted' : 'an alert is sent'}</strong>{' '}
            <Time page={page} at={alertAt} show="clock" />.
            {limit === startTimeMs(timing) ? null : ` A run may take ${periodWords(limit / 1000)}.`}
          </p>
          <DeadlineLine now={page.now} dueAt={expectedAt} timing={timing} />
        </>
      )}
      <Runs page={page} timing={timing} runs={runs} silences={silences} />
    </div>
  )
}

/** The number of runs that are shown. */
const SHOWN = 10

const MARKS: Record<Exclude<Upcoming['mark'], null>, string> = {
  moved: 'moved: the clock skips its time',
  duplicate: 'again: the clock shows this time twice',
  skipped: 'skipped: the clock skips its time',
}

/** The silence that is active at an instant; one that expects nothing, if there are several. */
function silenceAt(silences: readonly ShownSilence[], instant: number): ShownSilence | undefined {
  const active = silences.filter(silence => activeAt(silence, instant))
  return active.find(({ mode }) => mode === 'expect_nothing') ?? active[0]
}

/** Says what a silence does to a run. */
function InSilence({ silence }: { silence: ShownSilence | undefined }) {
  if (silence === undefined) return null
  const does = silence.mode === 'expect_nothing' ? 'not expected' : 'silenced'
  return (
    <span class="second">
      {does}: {silenceLabel(silence)}
    </span>
  )
}

interface RunsProps extends Pick<Props, 'page' | 'silences'> {
  timing: Timing
  runs: readonly Upcoming[]
}

function Runs({ page, timing, runs, silences }: RunsProps) {
  const zone = zoneOf(page)
  const own = timing.kind === 'simple' ? zone : timing.tz
  if (runs.length === 0) return null
  return (
    <div class="table-scroll">
      <table class="rows next-runs">
        <caption class="sr-only">The next runs</caption>
        <thead>
          <tr>
            <th scope="col">{own === zone ? `Next runs, ${own}` : own}</th>
            {own === zone ? null : <th scope="col">{zone}</th>}
          </tr>
        </thead>
        <tbody>
          {runs.map(run => (
            <tr class={run.mark === 'skipped' ? 'skipped' : undefined}>
              <td>
                {exactWords(run.instant, own)}
                {run.mark ? <span class="second mark">{MARKS[run.mark]}</span> : null}
                <InSilence silence={silenceAt(silences, run.instant)} />
              </td>
              {own === zone ? null : <td>{exactWords(run.instant, zone)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
