/** Describes the settings of docs/runs.md in words. */
import { periodWords } from '../../time/duration.js'
import type { Rules } from '../check.js'
import { CAUSES, type Cause } from './cause.js'
import { tracksEachRun } from './rules.js'
import { isTolerated } from './tally.js'

/** A sentence that says when a check alerts, and one for each other setting that differs from its default. */
export function alertWords(rules: Rules): string {
  return [whenAlerts(rules), ...otherRules(rules)].join(' ')
}

function whenAlerts(rules: Rules): string {
  const causes = CAUSES.filter(cause => cause !== 'too_short' || rules.minDurationSeconds !== null)
  const counted = causes.filter(cause => isTolerated(cause, rules))
  const atOnce = causes.filter(cause => !counted.includes(cause))
  const clauses = [
    atOnce.includes('failed') ? 'at the first failure' : '',
    counted.length > 0 ? `at the ${countedWords(counted, rules)}` : '',
    atOnce.includes('missed') ? `when ${missedWords(rules)}` : '',
    lengthWords(atOnce, rules),
  ]
  const parts = clauses.filter(clause => clause !== '')
  return `Alerts ${parts.length > 1 ? `${parts.slice(0, -1).join(', ')}, or ${parts.at(-1)}` : parts[0]}.`
}

/** `third failure or missed run in a row` */
function countedWords(counted: readonly Cause[], rules: Rules): string {
  const { failuresToAlert, failureWindow } = rules
  const nouns: Record<Cause, string> = {
    failed: 'failure',
    missed: `missed run${rules.startWithinSeconds === null ? '' : ` (not started within ${startWords(rules)})`}`,
    overrun: `run over ${limitWords(rules)}`,
    too_short: `run under ${periodWords(rules.minDurationSeconds ?? 0)}`,
  }
  const among =
    failureWindow === null ? 'in a row' : `among the last ${Math.max(failureWindow, failuresToAlert)} results`
  return `${ordinal(failuresToAlert)} ${listWords(counted.map(cause => nouns[cause]))} ${among}`
}

function missedWords(rules: Rules): string {
  if (rules.startWithinSeconds === null) return 'a run is missed'
  return `a run has not started within ${startWords(rules)}`
}

/** `when one takes longer than 4 hours or less than 1 minute` */
function lengthWords(atOnce: readonly Cause[], rules: Rules): string {
  const bounds = [
    atOnce.includes('overrun') ? `longer than ${limitWords(rules)}` : '',
    atOnce.includes('too_short') ? `less than ${periodWords(rules.minDurationSeconds ?? 0)}` : '',
  ].filter(bound => bound !== '')
  return bounds.length === 0 ? '' : `when a run takes ${bounds.join(' or ')}`
}

function otherRules(rules: Rules): string[] {
  const { successesToRecover, successExitCodes, earlySeconds, kind } = rules
  const parts = [
    tracksEachRun(rules) ? 'Every run has its own limit.' : '',
    successesToRecover > 1 ? `It is up again at the ${ordinal(successesToRecover)} success in a row.` : '',
    successExitCodes === '0' ? '' : `Exit status ${listWords(successExitCodes.split(','))} is a success.`,
    earlySeconds === 0 || kind === 'simple' ? '' : `A ping may come ${periodWords(earlySeconds)} early.`,
  ]
  return parts.filter(sentence => sentence !== '')
}

function startWords({ startWithinSeconds, graceSeconds }: Rules): string {
  return periodWords(startWithinSeconds ?? graceSeconds)
}

function limitWords({ maxDurationSeconds, graceSeconds }: Rules): string {
  return periodWords(maxDurationSeconds ?? graceSeconds)
}

/** `a, b or c` */
function listWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const FIRST = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** `third`, `12th`, `21st` */
function ordinal(number: number): string {
  const spelled = FIRST[number - 1]
  if (spelled !== undefined) return spelled
  const ending = number > 20 ? (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th') : 'th'
  return `${number}${ending}`
}
