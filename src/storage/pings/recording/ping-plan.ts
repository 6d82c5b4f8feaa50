/** Plans what pings change in their checks and in the log, before anything is written. */
import type { State } from '../../../core/checks/check.js'
import { DEFAULT_SETTINGS } from '../../../core/checks/check-fields.js'
import { delayRun } from '../../../core/checks/health/delay-run.js'
import type { Waived } from '../../../core/checks/health/judge.js'
import { nextDeadlineAt } from '../../../core/checks/health/settle.js'
import type { Hold } from '../../../core/instance/outage.js'
import type { ArrivedPing, PingOutcome, RecordedPings } from '../../../core/pings/arrived-ping.js'
import { applyBackDated } from '../../../core/pings/back-dated.js'
import { classifyHttp, classifyMail, type MailRules, readsMail } from '../../../core/pings/classify.js'
import { applyPing } from '../../../core/pings/ping.js'
import type { Action, PingEffect } from '../../../core/pings/ping-event.js'
import { isRepeated, type Sent } from '../../../core/pings/repeated.js'
import type { NewFlip } from '../../checks/flips.js'
import type { NewPassedDeadline } from '../../checks/history/passed-deadlines.js'
import { withState } from '../../checks/rows/check-rows.js'
import { earlierWakeUp } from '../../checks/rows/states.js'
import type { ChangedStates, LoadedCheck, PingRow } from '../../dialect.js'

type NewPing = PingRow & { checkUuid: string }

/** A ping's check before the batch, and whether this ping created it. */
export interface Found {
  check: LoadedCheck
  created: boolean
}

/** A check before and after the batch. */
export interface TouchedCheck {
  before: LoadedCheck
  check: LoadedCheck
}

/** What was found for a ping: its check, or why there is none; `locked`: another transaction has locked it. */
export type Match = Found | PingOutcome | 'locked'

/** Everything that a batch writes. */
export interface PingPlan {
  touched: TouchedCheck[]
  changed: ChangedStates
  rows: NewPing[]
  flips: NewFlip[]
  passed: NewPassedDeadline[]
  result: RecordedPings
}

/** What takes queries of its own. */
export interface MoreFacts {
  hold(check: LoadedCheck): Hold | null
  /** By the checks' IDs: the times in which nothing is expected. */
  waived: ReadonlyMap<number, Waived>
  /** By the checks' IDs: what back-dated pings may repeat. This batch's pings are added. */
  sent: ReadonlyMap<number, Sent[]>
}

/** A check of the batch, and its state after the pings so far. */
interface Latest {
  check: LoadedCheck
  state: State
  confirmationLink: boolean
}

/**
 * The plan for pings and the checks found for them, with the keyword rules in `texts`. Without `more`, which takes
 * queries, it is null if a ping finds a deadline that has passed, or is back-dated.
 */
export function planPings(
  found: readonly Match[],
  pings: readonly ArrivedPing[],
  texts: ReadonlyMap<number, MailRules>,
  more?: MoreFacts,
): PingPlan | null {
  const latest = new Map<number, Latest>()
  const rows: NewPing[] = []
  const flips: NewFlip[] = []
  const passed: NewPassedDeadline[] = []
  const result: RecordedPings = { outcomes: [], alerts: false, wakeAt: null, errors: [] }
  for (const [index, ping] of pings.entries()) {
    const match = found[index]!
    if (typeof match === 'string') {
      result.outcomes.push(match)
      continue
    }
    if (ping.invalid) {
      result.outcomes.push(`invalid-${ping.invalid}`)
      continue
    }
    const { check, created } = match
    // If the check looks for no keywords, the default rules do.
    const rules = texts.get(check.id) ?? DEFAULT_SETTINGS
    if (ping.mail === null && readsMail(rules)) {
      result.outcomes.push('unread')
      continue
    }
    try {
      const known = latest.get(check.id)
      const before = known?.state ?? check
      if (ping.isRecorded) {
        const state = afterWait(before, check, ping)
        if (known) known.state = state
        else if (state !== before) {
          latest.set(check.id, { check, state, confirmationLink: check.confirmationLink })
        }
        result.outcomes.push('ok')
        continue
      }
      const action = actionOf(check, rules, ping)
      if (
        ping.ranAt !== null &&
        more?.sent.get(check.id)?.some(one => isRepeated(one, resent(ping, action)))
      ) {
        result.outcomes.push('ok')
        continue
      }
      const effect = effectOf(before, check, ping, action, more)
      if (effect === null) return null
      const state = afterWait(effect.state, check, ping)
      const confirmationLink = ping.body !== null && mentionsConfirmation(ping.body)
      if (known) {
        known.state = state
        known.confirmationLink = confirmationLink
      } else latest.set(check.id, { check, state, confirmationLink })
      rows.push(logRow(check, ping, effect))
      more?.sent.get(check.id)?.push(sentPing(ping, effect))
      // Almost no ping has any, and an empty loop costs more than this condition.
      if (effect.flips.length > 0) flips.push(...newFlips(check.id, effect, ping))
      if (effect.passed.length > 0) {
        passed.push(...effect.passed.map(deadline => ({ checkId: check.id, deadline })))
      }
      result.outcomes.push(created ? 'created' : 'ok')
    } catch (error) {
      result.outcomes.push('failed')
      result.errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }
  const touched: TouchedCheck[] = []
  const changed = { wakeAt: new Set<number>(), tracking: new Set<number>() }
  for (const { check: before, state, confirmationLink } of latest.values()) {
    const wakeAt = earlierWakeUp(before.wakeAt, nextDeadlineAt(state))
    if (state.tracking !== before.tracking) changed.tracking.add(before.id)
    if (wakeAt !== before.wakeAt) {
      changed.wakeAt.add(before.id)
      result.wakeAt = earlierWakeUp(result.wakeAt, wakeAt)
    }
    touched.push({ before, check: withState({ check: before, state, marks: { wakeAt, confirmationLink } }) })
  }
  return { touched, changed, rows, flips, passed, result }
}

/** The state after a ping whose sender may have waited for the answer. */
function afterWait(state: State, check: LoadedCheck, { rid, arrivedAt, waitedMs }: ArrivedPing): State {
  if (waitedMs === undefined) return state
  return delayRun(state, check, { rid, from: arrivedAt, to: arrivedAt + waitedMs })
}

function effectOf(
  state: State,
  check: LoadedCheck,
  { rid, arrivedAt, durationMs, ranAt }: ArrivedPing,
  action: Action,
  more: MoreFacts | undefined,
): PingEffect | null {
  if (ranAt === null) {
    const ping = { action, rid, arrivedAt, durationMs }
    return applyPing(state, check, ping, more?.hold(check), more?.waived.get(check.id))
  }
  if (!more) return null
  const ping = { action, rid, arrivedAt, durationMs, ranAt }
  return applyBackDated(state, check, ping, more.hold(check), more.waived.get(check.id))
}

function resent({ rid, exitStatus, ranAt }: ArrivedPing, action: Action) {
  return { rid, exitStatus, action, ranAt: ranAt! }
}

function sentPing({ rid, exitStatus, ranAt }: ArrivedPing, { action, cause, at }: PingEffect): Sent {
  return { rid, exitStatus, ranAt, action, cause, at }
}

function newFlips(checkId: number, { flips }: PingEffect, { exitStatus }: ArrivedPing): NewFlip[] {
  return flips.map(flip => ({ checkId, flip, exitStatus: flip.reason === 'failed' ? exitStatus : null }))
}

/** The checks in a plan whose log has become too long. */
export function checksToPrune({ touched }: PingPlan, pingLogLimit: number): number[] {
  // Each check is pruned once every hundred pings.
  const passed = touched.filter(
    ({ check, before }) => Math.floor(before.nPings / 100) !== Math.floor(check.nPings / 100),
  )
  return passed.filter(({ check }) => check.nPings > pingLogLimit).map(({ check }) => check.id)
}

/** The checks for which keywords have to be looked for in a ping of the batch. */
export function checksWithKeywords(found: readonly Match[], pings: readonly ArrivedPing[]): number[] {
  const ids = found.flatMap((match, index) => {
    if (typeof match === 'string') return []
    const { check } = match
    return check.filterHttpBody || pings[index]!.mail !== undefined ? [check.id] : []
  })
  return [...new Set(ids)]
}

function actionOf(check: LoadedCheck, rules: MailRules, ping: ArrivedPing): Action {
  if (ping.mail !== undefined) {
    return classifyMail(rules, check.filterDefaultFail, ping.mail ?? { subject: '', body: '' })
  }
  return classifyHttp(check, rules, ping, () => new TextDecoder().decode(ping.body ?? undefined))
}

function logRow(check: LoadedCheck, ping: ArrivedPing, { state, action, cause, at }: PingEffect): NewPing {
  return {
    checkUuid: check.uuid,
    check_id: check.id,
    n: state.nPings,
    created_at: at,
    created_us: ping.arrivedUs,
    kind: action,
    scheme: ping.scheme,
    remote_addr: ping.remoteAddr,
    method: ping.method,
    ua: ping.ua,
    rid: ping.rid,
    exit_status: ping.exitStatus,
    body: ping.body,
    object_size: null,
    duration: action === 'success' || action === 'fail' ? ping.durationMs : null,
    cause: cause === 'failed' ? null : cause,
    ran_at: ping.ranAt,
  }
}

function mentionsConfirmation(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('latin1')
    .toLowerCase()
    .includes('confirm')
}
