/** Replays a history that is written as in `histories/history.ts`, and tells in the same words what the check is. */
import { NEW_STATE, type Rules, type State } from '../../../../src/core/checks/check.js'
import { applyChanges, type CheckChanges } from '../../../../src/core/checks/check-changes.js'
import { DEFAULT_SETTINGS, FIELD_LIST, type Settings } from '../../../../src/core/checks/check-fields.js'
import type { Flip } from '../../../../src/core/checks/flip.js'
import { afterDeadlines, changeRules } from '../../../../src/core/checks/health/change-rules.js'
import { failing } from '../../../../src/core/checks/health/failing.js'
import { type PassedDeadline, stateAfterDeadlines } from '../../../../src/core/checks/health/judge.js'
import { tracksEachRun } from '../../../../src/core/checks/health/rules.js'
import { unfinishedRuns } from '../../../../src/core/checks/health/runs.js'
import { pause, resume } from '../../../../src/core/checks/history/transitions.js'
import { statusAt } from '../../../../src/core/checks/status.js'
import type { Hold } from '../../../../src/core/instance/outage.js'
import { applyBackDated } from '../../../../src/core/pings/back-dated.js'
import { classifyHttp } from '../../../../src/core/pings/classify.js'
import { applyPing } from '../../../../src/core/pings/ping.js'
import type { Action } from '../../../../src/core/pings/ping-event.js'
import type { History, HistorySettings, Step } from './histories/history.js'

type TestCheck = State & Rules

interface Happened {
  check: TestCheck
  flips: readonly Flip[]
  passed: readonly PassedDeadline[]
}

/** What the check is after each step, and after it was stored and read again. */
export function replay({ settings, holds = [], month = '2026-03', steps }: History): string[] {
  const instant = (time: string) => instantOf(time, month)
  let check: TestCheck = newCheck(settingsOf({ grace: 600, ...settings }))
  return steps.map(([time, event, , changed]) => {
    const now = instant(time)
    const hold = holdAt(holds, month, now)
    const happened = apply(check, event, { now, month }, hold, changed)
    check = JSON.parse(JSON.stringify(happened.check))
    return describe({ ...happened, check }, now, hold, month)
  })
}

export function settingsOf(named: HistorySettings): Settings {
  return applyChanges(DEFAULT_SETTINGS, changesOf(named))
}

/** A check that was never pinged. */
export function newCheck(settings: Settings): TestCheck {
  return { ...settings, ...NEW_STATE, statusSince: 0 }
}

/** What is to be changed for these settings. */
export function changesOf({ timeout, grace, ...named }: HistorySettings): CheckChanges {
  const columns = { period_s: timeout, grace_s: grace, ...named }
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([column, value]) => [FIELD_LIST.find(field => field.column === column)!.name, value]),
  )
}

function apply(
  check: TestCheck,
  event: string,
  { now, month }: { now: number; month: string },
  hold: Hold | null,
  changed?: HistorySettings,
): Happened {
  // Each state is stored and read again anyway.
  if (event === 'restart') return { check, flips: [], passed: [] }
  if (event === 'look') {
    const { state, ...rest } = stateAfterDeadlines(check, now, hold)
    return { check: { ...check, ...state }, ...rest }
  }
  if (event === 'set') {
    return changeRules(check, applyChanges(check as unknown as Settings, changesOf(changed!)), now, hold)
  }
  if (event === 'pause' || event === 'resume') {
    const judged = afterDeadlines(check, now, hold)
    const after = event === 'pause' ? pause(judged.check, now) : resume(judged.check, now)!
    const flips = after.flip ? [...judged.flips, after.flip] : judged.flips
    return { check: after.check, flips, passed: judged.passed }
  }
  const { action, rid, durationMs, ranAt } = pingOf(event, check, month)
  const ping = { action, rid, arrivedAt: now, durationMs }
  const { state, flips, passed } =
    ranAt === null
      ? applyPing(check, check, ping, hold)
      : applyBackDated(check, check, { ...ping, ranAt }, hold)
  return { check: { ...check, ...state }, flips, passed }
}

/** What a ping that is written so says to the check. */
export function pingOf(event: string, check: Rules, month: string) {
  const [, word, value, seconds, time] = /^(\w+)(?: ([a-z]|\d+))?(?: for ([\d.]+))?(?: at ([\d: ]+))?$/.exec(
    event,
  )!
  const exitStatus = word === 'exit' ? Number(value) : null
  const signal = {
    action: (word === 'exit' ? 'success' : word) as Exclude<Action, 'ign'>,
    exitStatus,
    method: 'GET',
  }
  return {
    action: classifyHttp(check, DEFAULT_SETTINGS, signal, () => ''),
    rid: word === 'exit' ? null : (value ?? null),
    durationMs: seconds === undefined ? null : Math.round(Number(seconds) * 1000),
    ranAt: time === undefined ? null : instantOf(time, month),
  }
}

/** What the check is, in the words of a history. */
export function describe(
  { check, flips, passed }: Happened,
  now: number,
  hold: Hold | null,
  month: string,
): string {
  const at = (instant: number) => timeOf(instant, month)
  const told = failing(check, check)
  const parts = [
    statusAt(check, now, hold),
    check.dueAt !== null && `due ${at(check.dueAt)}`,
    check.alertAfter !== null && `down ${at(check.alertAfter)}`,
    check.tracking?.countAt && `count ${at(check.tracking.countAt)}`,
    runsOf(check, at),
    told && `failing ${told.count}/${told.of} since ${at(told.since)}`,
    check.tracking?.successes && `recovering ${check.tracking.successes}`,
    ...passed.map(one => `passed ${one.cause} ${at(one.at)}`),
    ...flips.map(flip => flipOf(flip, now, at)),
    check.lastDurationMs !== null && `took ${spanOf(check.lastDurationMs)}`,
  ]
  return parts.filter(part => part).join('; ')
}

function runsOf(check: TestCheck, at: (instant: number) => string): string {
  const runs = unfinishedRuns(check, check).map(run => {
    return `${tracksEachRun(check) ? `${run.rid ?? '-'} ` : ''}${at(run.at)}${run.judged ? ' over' : ''}`
  })
  return runs.length === 0 ? '' : `${tracksEachRun(check) ? 'runs' : 'run'} ${runs.join(', ')}`
}

function flipOf(flip: Flip, now: number, at: (instant: number) => string): string {
  const { oldStatus, newStatus, reason, createdAt, since } = flip
  const words = [reason, createdAt !== now && at(createdAt), since !== undefined && `since ${at(since)}`]
  return [`flip ${oldStatus}→${newStatus}`, ...words.filter(word => word)].join(' ')
}

/** Parts in the order in which `describe` has them, and what is not asked for left out of what is told. */
export function comparable(told: string, expected: string): [told: string[], expected: string[]] {
  const asked = expected.split('; ')
  const asksDuration = asked.some(part => part.startsWith('took '))
  const parts = told.split('; ').filter(part => asksDuration || !part.startsWith('took '))
  return [
    [parts[0]!, ...parts.slice(1).sort()],
    [asked[0]!, ...asked.slice(1).sort()],
  ]
}

export function namesOf(steps: readonly Step[]): string[] {
  return steps.map(([time, event]) => `${time} ${event}`)
}

/** The hold of a history that is in force at `now` (ms). */
export function holdAt(holds: NonNullable<History['holds']>, month: string, now: number): Hold | null {
  const all = holds.map(([from, until]) => ({ from: instantOf(from, month), until: instantOf(until, month) }))
  return all.find(({ from, until }) => now >= from && now < until) ?? null
}

/** The instant (ms) of a time as a history writes it. */
export function instantOf(time: string, month: string): number {
  const [clock, day = '2'] = time.split(' ').reverse()
  const [hours, minutes, seconds = '0'] = clock!.split(':')
  const [year, number] = month.split('-').map(Number)
  return Date.UTC(year!, number! - 1, Number(day), Number(hours), Number(minutes), Number(seconds))
}

function timeOf(instant: number, month: string): string {
  const date = new Date(instant).toISOString()
  const clock = date.slice(11, date.slice(17, 19) === '00' ? 16 : 19)
  const day = Number(date.slice(8, 10))
  return month === '2026-03' && day === 2 ? clock : `${day} ${clock}`
}

function spanOf(ms: number): string {
  const seconds = ms / 1000
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  const words = [
    hours > 0 && `${hours}h`,
    minutes > 0 && `${minutes}m`,
    rest > 0 && `${Number(rest.toFixed(3))}s`,
  ]
  return words.filter(word => word).join('')
}
