/** The effect of a ping on a check that uses runs, tolerance or early pings. The rules are in docs/runs.md. */
import type { Hold } from '../../instance/outage.js'
import type { PingEffect, PingEvent } from '../../pings/ping-event.js'
import type { Rules, State } from '../check.js'
import type { Cause } from './cause.js'
import { judge, judgeOverdueRuns, NONE_WAIVED, type Waived } from './judge.js'
import { fail, type Step, succeed } from './outcome.js'
import { usesDurations } from './rules.js'
import { type Facts, factsOf } from './runs.js'
import { settle } from './settle.js'
import { endRun, startRun } from './track-run.js'

/**
 * The effect of a counted `ping` on a check. The deadlines that passed before it are judged first, except those
 * that wait because of `hold` or are `waived`.
 */
export function applyTrackedPing(
  before: State,
  rules: Rules,
  ping: PingEvent,
  hold: Hold | null,
  waived: Waived = NONE_WAIVED,
): PingEffect {
  const { at } = ping
  const judged = judge(factsOf(before), rules, at, hold, waived)
  const overdue = judgeOverdueRuns(judged.facts, rules, at)
  const passed = [...judged.passed, ...overdue.passed]
  const { step, action, cause } = afterPing(overdue.facts, rules, ping)
  const flips = step.flip ? [...judged.flips, step.flip] : judged.flips
  const facts = { ...step.facts, nPings: before.nPings + 1 }
  return { state: settle(facts, rules), action, flips, passed, cause, at }
}

interface After {
  step: Step
  action: 'start' | 'success' | 'fail'
  cause: Cause | null
}

function afterPing(before: Facts, rules: Rules, { action, rid, at, durationMs }: PingEvent): After {
  if (action === 'start') return { step: start(before, rules, rid, at), action, cause: null }
  const ended = endRun(before, rules, action, rid, at)
  const measuredMs = usesDurations(rules) ? durationMs : null
  const facts: Facts = { ...ended.facts, lastDurationMs: measuredMs ?? ended.durationMs }
  const sureMs = measuredMs ?? (ended.isSure ? ended.durationMs : null)
  const cause = action === 'fail' ? 'failed' : isShort(sureMs, rules) ? 'too_short' : null
  if (cause === null) return { step: succeed(facts, at, rules, ended.isRepeated), action: 'success', cause }
  return { step: fail(facts, cause, at, rules, ended.isRepeated), action: 'fail', cause }
}

/** Starting a run ends a pause: the check is new again, and running. */
function start(before: Facts, rules: Rules, rid: string | null, at: number): Step {
  const facts = startRun(before, rules, rid, at)
  if (before.status !== 'paused') return { facts, flip: null }
  return {
    facts: { ...facts, status: 'new', statusSince: at },
    flip: { createdAt: at, oldStatus: 'paused', newStatus: 'new', reason: '' },
  }
}

/** Whether a run that took `durationMs` (null: unknown) ended too soon. */
function isShort(durationMs: number | null, { minDurationSeconds }: Rules): boolean {
  return minDurationSeconds !== null && durationMs !== null && durationMs < minDurationSeconds * 1000
}
