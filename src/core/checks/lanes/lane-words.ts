/** The timeline of all checks in words. */
import { are, plural } from '../../text/plural.js'
import { runLength } from '../../time/duration.js'
import type { Lane, LaneRun } from './lane.js'
import type { LaneSummary } from './lane-summary.js'
import type { WentDown } from './went-down.js'

/** The rest of a sentence that begins with the time: `214 checks ran 1,204 times. 3 runs failed, 1 did not start; 2 checks are still down.` */
export function summaryWords(
  { ran, runs, stillDown, wentDown, ...wrong }: LaneSummary,
  isOver: boolean,
): string {
  if (ran === 0 && wrong.missed === 0 && stillDown === 0) return 'no check ran.'
  const times = runs === 1 ? 'once' : `${runs.toLocaleString('en')} times`
  const did = ran === 0 ? 'no check ran.' : `${plural(ran, 'check')} ran ${times}.`
  const what = [
    wrong.failed > 0 && `${plural(wrong.failed, 'run')} failed`,
    wrong.missed > 0 && `${wrong.missed} did not start`,
    wrong.overran > 0 && `${wrong.overran} took too long`,
  ].filter(part => part !== false)
  const rest =
    stillDown > 0 ? `${plural(stillDown, 'check')} ${isOver ? 'stayed' : `${are(stillDown)} still`} down` : ''
  if (what.length === 0 && rest === '')
    return `${did} ${wentDown > 0 ? 'What went down came up again.' : 'Nothing went wrong.'}`
  return `${did} ${[what.join(', '), rest].filter(part => part !== '').join('; ')}.`
}

/**
 * Checks that went down together, before and after the tag that they share, which pages link: `14 checks with tag `, `db1`,
 * ` went down between 02:10 and 02:14.` `when` says the time.
 */
export function wentDownWords({ count, tag, tagged }: WentDown, when: string): [string, string, string] {
  if (tag === null) return [`${count} checks went down ${when}.`, '', '']
  if (tagged === count) return [`${count} checks with tag `, tag, ` went down ${when}.`]
  return [`${count} checks went down ${when}, ${tagged} of them with tag `, tag, '.']
}

const OUTCOMES: Record<LaneRun['outcome'], string> = {
  success: 'succeeded',
  failed: 'failed',
  missed: 'did not start',
  overrun: 'took too long',
  running: 'is running',
  unfinished: 'did not report its end',
}

/** `failed with exit status 2 after 3 min 10 s` */
export function laneRunWords({ outcome, exitStatus, durationMs }: LaneRun): string {
  const status =
    outcome === 'failed' && exitStatus !== null && exitStatus > 0 ? ` with exit status ${exitStatus}` : ''
  const length = durationMs === null || outcome === 'overrun' ? '' : ` after ${runLength(durationMs)}`
  return `${OUTCOMES[outcome]}${status}${length}`
}

/** The runs of a lane in a few words: `12 runs, 1 failed`. */
export function laneWords({ runs, isBusy, count, down }: Lane): string {
  const own = runs.filter(({ outcome }) => outcome !== 'missed').length
  const of = (outcome: LaneRun['outcome']) => runs.filter(run => run.outcome === outcome).length
  return (
    [
      isBusy ? plural(count, 'ping') : own > 0 && plural(own, 'run'),
      of('failed') > 0 && `${of('failed')} failed`,
      of('missed') > 0 && `${of('missed')} missed`,
      of('overrun') > 0 && `${of('overrun')} too long`,
      of('running') > 0 && 'running',
    ]
      .filter(part => part !== false)
      .join(', ') || (down.length > 0 ? 'down, no runs' : 'no runs')
  )
}
