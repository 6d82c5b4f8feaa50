/**
 * The monitors of Cronitor as its YAML has them: `jobs`, `heartbeats`, `checks` and `sites`, each a map from keys to
 * attributes. Source: https://cronitor.io/docs/monitor-api.
 */
import { isObject, isTextList } from '../../config/config-field.js'
import type { Json } from '../../config/project-config.js'
import { CRON_SHORTHANDS } from '../../schedule/schedule-problem.js'
import { parseDuration } from '../../time/parse-duration.js'
import { Draft, scheduleField, textIn } from './draft.js'

/** What waits for pings; older files have `events`. */
const PASSIVE = ['jobs', 'heartbeats', 'events'] as const

/** What Cronitor asks itself; older files have `synthetics`. */
const ACTIVE = ['checks', 'sites', 'synthetics'] as const

/** Attributes that are read, or that say only what Cronitor saw. */
const READ = new Set([
  ...[
    'key',
    'name',
    'type',
    'schedule',
    'schedules',
    'timezone',
    'grace_seconds',
    'assertions',
    'tags',
    'group',
  ],
  ...[
    'group_name',
    'note',
    'paused',
    'disabled',
    'failure_tolerance',
    'schedule_tolerance',
    'code',
    'created',
  ],
  ...[
    'defaultName',
    'passing',
    'running',
    'initialized',
    'status',
    'latest_event',
    'latest_events',
    'latest_issue',
  ],
  ...['latest_invocations', 'next_expected_at', 'statistics', 'attributes'],
])

const WHY: Readonly<Record<string, string>> = {
  notify: 'give the check channels here',
  realert_interval: 'a policy repeats alerts here',
  consecutive_alert_threshold: 'there is nothing like it',
  environments: 'each environment needs a check of its own here',
  platform: 'nothing depends on it here',
  metadata: 'there is no such field; a description is of any length',
}

/** A run may take a day unless an assertion says otherwise: Cronitor has no limit of its own. */
const ANY_DURATION = 86_400

/** The shortest grace of a check, and what Cronitor has for jobs, in seconds. */
const MIN_GRACE = 60

/** A draft of the monitors that wait for pings. `file`: the content of the YAML. */
export function readCronitor(file: Json): Draft {
  const draft = new Draft()
  if (!isObject(file)) {
    draft.note('the file', 'It has no monitors: expected are jobs, heartbeats, checks or sites.')
    return draft
  }
  for (const [part, monitors] of Object.entries(file)) {
    const isPassive = PASSIVE.some(name => name === part)
    const isKnown = isPassive || ACTIVE.some(name => name === part)
    if (!isKnown || !isObject(monitors)) {
      draft.note(part, 'This part of the file was not read.')
      continue
    }
    for (const [key, given] of Object.entries(monitors)) {
      const attributes = isObject(given) ? given : {}
      if (isPassive) addMonitor(draft, key, attributes, part === 'jobs')
      else draft.note(key, 'It was left out: Cronitor asks it, while checks here wait for pings.')
    }
  }
  return draft
}

function addMonitor(
  draft: Draft,
  key: string,
  given: { readonly [name: string]: Json },
  isJob: boolean,
): void {
  const notes: string[] = []
  const limits = limitsOf(given.assertions, isJob, notes)
  const grace = given.grace_seconds === undefined ? MIN_GRACE : Number(given.grace_seconds)
  if (grace < MIN_GRACE) notes.push(`grace_seconds ${grace}: the shortest grace here is a minute.`)
  const timing = timingOf(given, notes)
  const added = draft.addCheck(key, {
    name: textIn(given.name) || key,
    ...timing,
    timezone: given.timezone,
    grace: Math.max(grace, MIN_GRACE),
    ...limits,
    ...toleranceOf(given, notes),
    tags: tagsOf(given),
    desc: given.note,
  })
  for (const text of notes) draft.note(added, text)
  if (given.paused === true || given.disabled === true)
    draft.note(added, `It is paused at Cronitor; here \`punctual checks pause ${added}\` does that.`)
  for (const [name, value] of Object.entries(given)) {
    if (READ.has(name) || isEmpty(value)) continue
    draft.note(added, `${name} was not carried over${WHY[name] ? `: ${WHY[name]}` : ''}.`)
  }
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)
}

function timingOf(given: { readonly [name: string]: Json }, notes: string[]) {
  const all = wordsIn(given.schedules)
  const [first, ...others] = textIn(given.schedule) === '' ? all : [textIn(given.schedule), ...all]
  const left = others.filter(schedule => schedule !== first)
  if (left.length > 0) notes.push(`Of several schedules, only ${first} is used; not: ${left.join('; ')}.`)
  if (first === undefined) {
    notes.push('It has no schedule, so it is expected once a year here: only failures are noticed.')
    return { period: 365 * 86_400 }
  }
  const every = /^every\s+(.+)$/i.exec(first.trim())?.[1]
  if (every !== undefined) {
    const seconds = parseDuration(/^\d/.test(every) ? every : `1 ${every}`)
    if (seconds === null) notes.push(`The schedule ${first} is not understood; it is expected once a day.`)
    else if (seconds < 60) notes.push(`The schedule ${first}: the shortest period here is a minute.`)
    return { period: seconds === null ? null : Math.max(seconds, 60) }
  }
  const schedule = scheduleField(CRON_SHORTHANDS[first.trim().toLowerCase()] ?? first)
  if (typeof schedule !== 'string') return schedule
  notes.push(`The schedule ${first} is not understood; it is expected once a day. ${schedule}`)
  return {}
}

/** Assertions that limit a run; the others are noted. */
function limitsOf(given: Json | undefined, isJob: boolean, notes: string[]) {
  const limits: { max_duration?: number; min_duration?: number } = isJob ? { max_duration: ANY_DURATION } : {}
  for (const assertion of wordsIn(given)) {
    const [, operator, length] = /^metric\.duration\s*(<=|>=|<|>)\s*(.+)$/.exec(assertion.trim()) ?? []
    const seconds =
      length === undefined ? null : parseDuration(/\d\s*$/.test(length) ? `${length} s` : length)
    if (seconds === null || seconds < 1) notes.push(`The assertion “${assertion}” was not carried over.`)
    else if (operator!.startsWith('<')) limits.max_duration = seconds
    else limits.min_duration = seconds
  }
  return limits
}

/** Cronitor counts failures and missed runs apart, a check here together. */
function toleranceOf(given: { readonly [name: string]: Json }, notes: string[]) {
  const failures = Number(given.failure_tolerance ?? 0)
  const missed = Number(given.schedule_tolerance ?? 0)
  if (failures > 0 && missed > 0 && failures !== missed)
    notes.push(`schedule_tolerance ${missed} is counted together with failure_tolerance ${failures} here.`)
  const causes = [...(failures > 0 ? ['failed'] : []), ...(missed > 0 ? ['missed'] : [])]
  return causes.length === 0 ? {} : { failures_to_alert: Math.max(failures, missed) + 1, tolerated: causes }
}

function tagsOf(given: { readonly [name: string]: Json }): string[] {
  return [...wordsIn(given.tags), textIn(given.group)]
    .map(tag => tag.trim().replace(/\s+/g, '-'))
    .filter(tag => tag !== '')
}

function wordsIn(value: Json | undefined): readonly string[] {
  return value !== undefined && isTextList(value) ? value : []
}
