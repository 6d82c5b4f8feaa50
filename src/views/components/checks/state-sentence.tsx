import { tooShortWords } from '../../../core/alerts/down-reason.js'
import type { Check } from '../../../core/checks/check.js'
import type { CheckState } from '../../../core/checks/check-state.js'
import { failing, failingWords } from '../../../core/checks/health/failing.js'
import { runLimitMs } from '../../../core/checks/status.js'
import { periodWords, runLength } from '../../../core/time/duration.js'
import { clockWords } from '../../../core/time/instant.js'
import type { PageContext } from '../../page-context.js'
import { Elapsed } from '../elapsed.js'
import { Time } from '../time.js'

interface Props {
  page: Pick<PageContext, 'now' | 'user'>
  check: Omit<Check, 'status'>
  state: CheckState
  /** Of the failure that took the check down, if it reported one. */
  exitStatus?: number | null
  /** The duration of the run that was too short, if it is known. */
  tookMs?: number | null
  /** The time zone of the schedule, if it is not the reader's. */
  scheduleZone?: string | null
}

/** The state of a check in sentences: the status, since when, why, and what comes next. */
export function StateSentence(props: Props) {
  const { page, check, state } = props
  const { status, running } = state
  return (
    <>
      <Status exitStatus={null} tookMs={null} scheduleZone={null} {...props} />
      <Failing page={page} check={check} state={state} />
      {running && status !== 'new' ? (
        <>
          {' '}
          A run started <Time page={page} at={running.since} />, limit {limitWords(check)}.
          {running.long ? <LongRun check={check} /> : null}
        </>
      ) : null}
    </>
  )
}

/** Says that failures were counted that do not yet take the check down. */
function Failing({ page, check, state }: Pick<Props, 'page' | 'check' | 'state'>) {
  const counted = failing({ status: state.status, tracking: check.tracking }, check)
  if (!counted) return null
  return (
    <>
      {' '}
      <strong class="failing">It is {failingWords(counted)}</strong>, since{' '}
      <Time page={page} at={counted.since} show="clock" />.
    </>
  )
}

function Status(props: Required<Props>) {
  const { page, check, state } = props
  const exact = (at: number) => <Time page={page} at={at} show="clock" />
  switch (state.status) {
    case 'new':
      if (state.running) {
        return (
          <>
            Its first run started <Time page={page} at={state.running.since} />, limit {limitWords(check)}.
          </>
        )
      }
      return <>{check.nPings > 0 ? 'Ready for its next ping.' : 'Waiting for its first ping.'}</>
    case 'paused':
      return (
        <>
          Paused <Time page={page} at={state.since} />.{' '}
          {check.manualResume ? 'It ignores pings until it is resumed.' : 'The next ping resumes it.'}
        </>
      )
    case 'up':
      if (state.expectedAt === null && state.running) return <>Up.</>
      if (state.expectedAt === null) return <>Up. Its schedule has ended: no further ping is expected.</>
      return (
        <>
          Up. The next ping is expected <Time page={page} at={state.expectedAt} />.
        </>
      )
    case 'grace':
      return (
        <>
          Late: the ping was expected <Time page={page} at={state.expectedAt!} />.{' '}
          {state.downAt === null ? null : (
            <>
              Without one it goes down <Time page={page} at={state.downAt} />.
            </>
          )}
        </>
      )
    case 'down':
      return (
        <>
          Down since {exact(state.since)}, <Elapsed page={page} since={state.since} />. <Reason {...props} />
        </>
      )
  }
}

function Reason({ page, check, state, exitStatus, tookMs, scheduleZone }: Required<Props>) {
  const exact = (at: number | null) => <Time page={page} at={at} show="clock" />
  if (state.reason === 'failed') {
    return (
      <>{exitStatus === null ? 'The job reported a failure.' : `The job exited with status ${exitStatus}.`}</>
    )
  }
  if (state.reason === 'overrun') {
    return <>A run started but did not finish within its limit, {limitWords(check)}.</>
  }
  if (state.reason === 'too_short') return <>{tooShortSentence(check, tookMs)}</>
  if (!state.missed) return null
  // A failure that came later changed nothing, so it is not what the check waited for.
  const pingedLater = check.lastPing !== null && check.lastPing > state.since
  return (
    <>
      {check.lastPing === null ? (
        'No ping came'
      ) : pingedLater ? (
        'No ping came in time'
      ) : (
        <>No ping since {exact(check.lastPing)}</>
      )}
      : expected {exact(state.missed.expectedAt)}
      {scheduleZone
        ? ` (${clockWords(state.missed.expectedAt, page.now, scheduleZone)} ${scheduleZone})`
        : ''}
      , {check.startWithinSeconds === null ? 'grace ended' : 'its time to start ended'}{' '}
      {exact(state.missed.graceEndedAt)}.
      {pingedLater ? <> The last ping, {exact(check.lastPing)}, was not a success.</> : null}
    </>
  )
}

function tooShortSentence({ minDurationSeconds }: Props['check'], tookMs: number | null): string {
  if (minDurationSeconds === null) return 'A run ended too soon.'
  const limitMs = minDurationSeconds * 1000
  return tookMs === null
    ? `A run took less than the expected ${runLength(limitMs)}.`
    : `A run ${tooShortWords(tookMs, limitMs)}.`
}

/** The maximum duration of a run of the check. */
function limitWords(check: Props['check']): string {
  return periodWords(runLimitMs(check) / 1000)
}

function LongRun({ check }: Pick<Props, 'check'>) {
  if (check.lastDurationMs === null) return <> It is running long: more than half of the limit has passed.</>
  return <> It is running long: the one before took {runLength(check.lastDurationMs)}.</>
}
