/** The values of a file that have fields of their own. */
import { POLICY_LIMITS, type PolicyRules, policyProblems } from '../incidents/policy.js'
import { ONCE_SECONDS, WINDOW_SECONDS } from '../silences/limits.js'
import { timesProblem } from '../silences/silence-problem.js'
import { isObject, isTextList, type ReadJson, readLength } from './config-field.js'
import type { Json } from './project-config.js'

/** The steps of a policy: `[{after: 0, channels: check}, {after: 30m, channels: [ops]}]`. */
export function readSteps(value: Json): ReadJson {
  if (!Array.isArray(value)) return { problem: 'Give a list of steps.' }
  const steps: { after: number; channels: Json }[] = []
  for (const step of value as readonly Json[]) {
    if (!isObject(step)) return { problem: 'Give each step "after" and "channels".' }
    const other = otherThan(step, ['after', 'channels'])
    if (other !== null) return { problem: `There is no “${other}” in a step.` }
    const after = readLength(step.after ?? 0, 0, POLICY_LIMITS.lastStepSeconds)
    if ('problem' in after) return after
    const channels = step.channels ?? 'check'
    if (channels !== 'check' && !isTextList(channels))
      return { problem: 'The channels of a step are "check" or a list of channels.' }
    const listed = channels === 'check' ? channels : [...new Set(channels)].sort()
    steps.push({ after: after.value as number, channels: listed })
  }
  const [wrong] = policyProblems({ steps: steps as unknown as PolicyRules['steps'], repeat: null })
  return wrong ? { problem: wrong.problem } : { value: steps }
}

/** The repeat of a policy: `{every: 1h, times: 3}`. */
export function readRepeat(value: Json): ReadJson {
  const { everySeconds, times } = POLICY_LIMITS
  if (!isObject(value) || otherThan(value, ['every', 'times']) !== null)
    return { problem: 'Give "every" and "times".' }
  const every = readLength(value.every ?? '', everySeconds.min, everySeconds.max)
  if ('problem' in every) return every
  const count = value.times
  if (typeof count !== 'number' || !Number.isInteger(count) || count < times.min || count > times.max)
    return { problem: `Repeat ${times.min} to ${times.max} times.` }
  return { value: { every: every.value, times: count } }
}

/** The checks of a silence: `{checks: […]}`, `{tags: […]}` or `{project: true}`. */
export function readScope(value: Json): ReadJson {
  const problem = 'Give {checks: [keys]}, {tags: [tags]} or {project: true}.'
  if (!isObject(value) || Object.keys(value).length !== 1) return { problem }
  if (value.project === true) return { value: { project: true } }
  const [[name, list]] = Object.entries(value) as [[string, Json]]
  if ((name !== 'checks' && name !== 'tags') || !isTextList(list) || list.length === 0) return { problem }
  return { value: { [name]: [...new Set(list)].sort() } }
}

/** The times of a silence, as in the API; instants are written out, because a file has no "now". */
export function readWhen(value: Json): ReadJson {
  const problem =
    'Give {from, to}, or "cron" or "oncalendar" with "duration", "timezone" and "from"; instants such as 2026-01-02T03:04:05Z.'
  if (!isObject(value)) return { problem }
  const from = instantOf(value.from)
  if (from === null) return { problem }
  if (value.to !== undefined) {
    const to = instantOf(value.to)
    if (to === null || otherThan(value, ['from', 'to']) !== null) return { problem }
    const wrong = timesProblem({ kind: 'once', from, to }, Number.NEGATIVE_INFINITY)
    const length = readLength((to - from) / 1000, ONCE_SECONDS.least, ONCE_SECONDS.most)
    if (wrong || 'problem' in length) return { problem: wrong?.problem ?? 'It is too short or too long.' }
    return { value: { from: iso(from), to: iso(to) } }
  }
  const kind = value.cron === undefined ? 'oncalendar' : 'cron'
  const schedule = value[kind]
  const timezone = value.timezone ?? 'UTC'
  if (typeof schedule !== 'string' || typeof timezone !== 'string') return { problem }
  if (otherThan(value, [kind, 'duration', 'timezone', 'from']) !== null) return { problem }
  const duration = readLength(value.duration ?? '', WINDOW_SECONDS.least, WINDOW_SECONDS.most)
  if ('problem' in duration) return duration
  const durationSeconds = duration.value as number
  const times = { kind, schedule, tz: timezone, durationSeconds, from } as const
  const wrong = timesProblem(times, from)
  if (wrong !== null) return { problem: wrong.problem }
  return { value: { [kind]: schedule, duration: durationSeconds, timezone, from: iso(from) } }
}

function otherThan(value: object, names: readonly string[]): string | null {
  return Object.keys(value).find(name => !names.includes(name)) ?? null
}

function instantOf(value: Json | undefined): number | null {
  const isInstant =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(value)
  const at = isInstant ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}

function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}
