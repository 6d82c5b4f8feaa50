import type { State, Timing } from '../checks/check.js'
import type { Settings } from '../checks/check-fields.js'
import type { Flip } from '../checks/flip.js'
import { deadlinesOf } from '../checks/status.js'
import { keywordList, matches } from './keywords.js'

/** What a ping says. `ign` is logged and changes nothing. */
export type Action = 'success' | 'start' | 'fail' | 'log' | 'ign'

/** What an HTTP ping brings: the action its URL names, its verb, and its body where keywords are looked for. */
export interface HttpSignal {
  action: Exclude<Action, 'ign'>
  exitStatus: number | null
  method: string
}

/** What keywords are looked for in, of a ping that came as an e-mail. */
export interface MailSignal {
  /** Decoded; empty where there is none. */
  subject: string
  /** The text, and the text of the HTML. */
  body: string
}

/** The settings that decide what an e-mail says; its keywords also what the body of an HTTP ping says. */
export const MAIL_RULES = [
  'startKw',
  'successKw',
  'failureKw',
  'filterSubject',
  'filterBody',
  'subjectRules',
] as const satisfies (keyof Settings)[]

export type MailRules = Pick<Settings, (typeof MAIL_RULES)[number]>

/** Keyword lists as typed: comma-separated, see `keywords.ts`. */
type Keywords = Pick<Settings, 'startKw' | 'successKw' | 'failureKw'>

type HttpRules = Pick<Settings, 'methods' | 'filterHttpBody' | 'filterDefaultFail'>

/** What one ping does: the state after it, the kind it is logged as, the flip it causes, and its instant (ms). */
export interface PingEffect {
  state: State
  action: Action
  flip: Flip | null
  at: number
}

/** What was stamped further ahead than this (ms) was stamped by a clock that has since been set right. */
export const CLOCK_SET_BACK_MS = 60_000

/**
 * The action of an HTTP ping: the URL's, an exit status over the URL's, the verb's rule over both, and the
 * body's keywords over the URL where `filter_http_body` is on.
 */
export function classifyHttp(
  rules: HttpRules,
  keywords: Keywords,
  signal: HttpSignal,
  bodyText: () => string,
): Action {
  if (rules.methods === 'POST' && signal.method !== 'POST') return 'ign'
  if (rules.filterHttpBody) return classifyText(keywords, rules.filterDefaultFail, bodyText())
  if (signal.exitStatus === null) return signal.action
  return signal.exitStatus > 0 ? 'fail' : 'success'
}

/** Whether an e-mail has to be read to know what it says. */
export function readsMail(rules: Pick<MailRules, 'filterSubject' | 'filterBody'>): boolean {
  return rules.filterSubject || rules.filterBody
}

/**
 * The action of an e-mail: a success, unless keywords are looked for in it. While the deprecated `subject` and
 * `subject_fail` set the rules and `subject` is empty, what does not match is a success too. Source:
 * docs/behaviour.md, section 6.3.
 */
export function classifyMail(rules: MailRules, defaultFail: boolean, { subject, body }: MailSignal): Action {
  if (!readsMail(rules)) return 'success'
  const searched = [...(rules.filterSubject ? [subject] : []), ...(rules.filterBody ? [body] : [])].join('\n')
  const everything = rules.subjectRules && keywordList(rules.successKw).length === 0
  if (everything && !matches(rules.failureKw, searched) && !matches(rules.startKw, searched)) return 'success'
  return classifyText(rules, defaultFail, searched)
}

/** The action that a text's keywords name: failure before success before start, else the default. */
function classifyText(keywords: Keywords, defaultFail: boolean, text: string): Action {
  if (matches(keywords.failureKw, text)) return 'fail'
  if (matches(keywords.successKw, text)) return 'success'
  if (matches(keywords.startKw, text)) return 'start'
  return defaultFail ? 'fail' : 'ign'
}

/** The settings that decide what a ping does. */
export type PingRules = Timing & Pick<Settings, 'manualResume'>

/**
 * What a ping does that arrived at `arrivedAt` (ms) with run id `rid`. Its instant is its arrival, but never before the
 * check's last event, so that the log keeps its order. Throws `ScheduleError` for an expression that never was valid.
 */
export function applyPing(
  before: State,
  rules: PingRules,
  asked: Action,
  rid: string | null,
  arrivedAt: number,
): PingEffect {
  const at = instantOf(before, arrivedAt)
  const ignored = before.status === 'paused' && rules.manualResume
  const action = ignored ? 'ign' : asked
  if (action === 'log' || action === 'ign') return { state: counted(before), action, flip: null, at }
  const change = action === 'start' ? start(before, at) : finish(before, action, rid, at)
  const isMoved = change.status !== before.status
  const { dueAt, alertAfter } = deadlinesOf(change, rules)
  const state: State = {
    status: change.status,
    statusSince: isMoved ? at : before.statusSince,
    nPings: before.nPings + 1,
    lastPing: change.lastPing,
    lastStart: change.lastStart,
    lastStartRid: action === 'start' ? rid : before.lastStartRid,
    lastDurationMs: change.lastDurationMs,
    dueAt,
    alertAfter,
  }
  if (!isMoved) return { state, action, flip: null, at }
  const reason = action === 'fail' ? 'fail' : ''
  return {
    state,
    action,
    flip: { createdAt: at, oldStatus: before.status, newStatus: state.status, reason },
    at,
  }
}

/** What a start or the end of a run changes besides the deadlines. */
type Change = Pick<State, 'status' | 'lastPing' | 'lastStart' | 'lastDurationMs'>

/** Starting a run ends a pause: the check is new again, and running. Source: docs/behaviour.md, section 2.4. */
function start({ status, lastPing, lastDurationMs }: State, at: number): Change {
  return { status: status === 'paused' ? 'new' : status, lastPing, lastStart: at, lastDurationMs }
}

function finish(before: State, action: 'success' | 'fail', rid: string | null, at: number): Change {
  const { lastStart, lastStartRid } = before
  const status = action === 'fail' ? 'down' : 'up'
  if (lastStart === null) return { status, lastPing: at, lastStart, lastDurationMs: null }
  const isSameRun = lastStartRid === rid
  // A success of another run says nothing about the one that is still going.
  const goesOn = !isSameRun && action === 'success' && rid !== null
  return {
    status,
    lastPing: at,
    lastStart: goesOn ? lastStart : null,
    lastDurationMs: isSameRun ? Math.max(0, at - lastStart) : null,
  }
}

/** The state after a ping that is only logged. */
function counted(state: State): State {
  return {
    status: state.status,
    statusSince: state.statusSince,
    nPings: state.nPings + 1,
    lastPing: state.lastPing,
    lastStart: state.lastStart,
    lastStartRid: state.lastStartRid,
    lastDurationMs: state.lastDurationMs,
    dueAt: state.dueAt,
    alertAfter: state.alertAfter,
  }
}

function instantOf(check: State, arrivedAt: number): number {
  const lastEvent = Math.max(check.lastPing ?? 0, check.lastStart ?? 0, check.statusSince)
  return lastEvent - arrivedAt > CLOCK_SET_BACK_MS ? arrivedAt : Math.max(arrivedAt, lastEvent)
}
