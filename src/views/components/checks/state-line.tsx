import type { Check, Rules } from '../../../core/checks/check.js'
import type { CheckState } from '../../../core/checks/check-state.js'
import { failing, failingWords } from '../../../core/checks/health/failing.js'
import type { PageContext } from '../../page-context.js'
import { Elapsed } from '../elapsed.js'
import { Time } from '../time.js'
import { statusWord } from './status-glyph.js'

interface Props {
  page: Pick<PageContext, 'now' | 'user'>
  check: Pick<Check, 'nPings' | 'tracking'> & Rules & { exitStatus: number | null }
  state: CheckState
}

/** The state in a few words, for a row: `down for 6 h, exit status 2`; `failing, 1 of 3, expected in 20 min`. */
export function StateLine(props: Props) {
  const { check, state } = props
  const counted = failing({ status: state.status, tracking: check.tracking }, check)
  if (!counted) return <StatusLine {...props} />
  const isCalm = state.status === 'up' && !state.running
  return (
    <>
      <strong class="failing">{failingWords(counted)}</strong>
      <span class={isCalm ? 'in-column' : undefined}>
        , <StatusLine {...props} />
      </span>
    </>
  )
}

function StatusLine({ page, check, state }: Props) {
  const { status, running } = state
  const run = running ? (
    <>
      {running.long ? 'running long, for' : 'running for'} <Elapsed page={page} since={running.since} />
    </>
  ) : null
  if (status === 'down') {
    return (
      <>
        down for <Elapsed page={page} since={state.since} />
        <WhyDown page={page} check={check} state={state} />
        {run ? <>, {run}</> : null}
      </>
    )
  }
  if (run) return run
  if (status === 'grace') return <Late page={page} state={state} />
  if (status === 'up' && state.expectedAt !== null) {
    return (
      <>
        expected <Time page={page} at={state.expectedAt} />
      </>
    )
  }
  if (status === 'new') return <>{check.nPings > 0 ? 'ready for pings' : 'waiting for its first ping'}</>
  return <>{statusWord(status)}</>
}

function Late({ page, state }: Omit<Props, 'check'>) {
  if (state.downAt === null) return <>late</>
  return (
    <>
      late, goes down <Time page={page} at={state.downAt} />
    </>
  )
}

function WhyDown({ page, check, state }: Props) {
  const { reason, missed } = state
  if (reason === 'overrun') return <>, a run took too long</>
  if (reason === 'too_short') return <>, a run ended too soon</>
  if (reason === 'failed') {
    const { exitStatus } = check
    return <>{exitStatus === null ? ', it reported a failure' : `, exit status ${exitStatus}`}</>
  }
  if (!missed) return null
  return (
    <>
      , expected <Time page={page} at={missed.expectedAt} show="clock" />
    </>
  )
}
