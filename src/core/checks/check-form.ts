/** The form in which people describe a check: what stands in its fields, and what that means. */

import { canonicalZone } from '../schedule/index.js'
import { scheduleProblem } from '../schedule/schedule-problem.js'
import { periodWords } from '../time/duration.js'
import { parseDuration } from '../time/parse-duration.js'
import { type Check, type CheckKind, tagList } from './check.js'
import type { CheckChanges } from './check-changes.js'

/** The fields as typed. */
export interface CheckForm {
  name: string
  slug: string
  tags: string
  desc: string
  kind: CheckKind
  period: string
  grace: string
  /** A cron expression. */
  cron: string
  /** OnCalendar lines. */
  oncalendar: string
  tz: string
  methods: '' | 'POST'
  manualResume: boolean
  filterSubject: boolean
  filterBody: boolean
  filterHttpBody: boolean
  filterDefaultFail: boolean
  startKw: string
  successKw: string
  failureKw: string
}

/** What is wrong, by field, in a sentence that says what would be right. */
export type FormErrors = Partial<Record<keyof CheckForm, string>>

/** The parts of the form that say when a ping is expected. */
export type TimingForm = Pick<CheckForm, 'kind' | 'period' | 'grace' | 'cron' | 'oncalendar' | 'tz'>

type TimingChanges = Pick<CheckChanges, 'periodSeconds' | 'graceSeconds' | 'schedule' | 'tz'>

/** NUL, and halves of a pair: no text that both databases can keep. */
const UNSTORABLE = /\0|\p{Surrogate}/u

const MIN_SECONDS = 60
const MAX_SECONDS = 31_536_000
const LENGTH = 'a length of time such as 1 day, 90 min or 1 h 30 min, from 1 minute to 365 days'

/** The form of a check as it is. */
export function formOf(check: Check): CheckForm {
  const scheduled = check.kind !== 'simple'
  return {
    name: check.name,
    slug: check.slug,
    tags: check.tags,
    desc: check.desc,
    kind: check.kind,
    period: periodWords(check.periodSeconds),
    grace: periodWords(check.graceSeconds),
    cron: check.kind === 'cron' ? check.schedule : '',
    oncalendar: check.kind === 'oncalendar' ? check.schedule : '',
    tz: scheduled ? check.tz : '',
    methods: check.methods,
    manualResume: check.manualResume,
    filterSubject: check.filterSubject,
    filterBody: check.filterBody,
    filterHttpBody: check.filterHttpBody,
    filterDefaultFail: check.filterDefaultFail,
    startKw: check.startKw,
    successKw: check.successKw,
    failureKw: check.failureKw,
  }
}

/** What the form asks for, or everything that is wrong with it. */
export function readCheckForm(form: CheckForm): { changes: CheckChanges } | { errors: FormErrors } {
  const errors: FormErrors = {}
  for (const [field, value] of Object.entries(form)) {
    if (typeof value === 'string' && UNSTORABLE.test(value)) {
      errors[field as keyof CheckForm] = 'This has a character that cannot be kept.'
    }
  }
  const timing = readTiming(form, errors)
  const text = (field: 'name' | 'slug' | 'startKw' | 'successKw' | 'failureKw', max: number) => {
    const value = form[field].trim()
    if ([...value].length > max) errors[field] = `At most ${max} characters; this has ${[...value].length}.`
    return value
  }
  const tags = tagList(form.tags).join(' ')
  if ([...tags].length > 500) errors.tags = `At most 500 characters in all; these have ${[...tags].length}.`
  const slug = text('slug', 100)
  if (!/^[a-z0-9_-]*$/.test(slug)) {
    errors.slug = 'Only small letters a to z, digits, hyphens and underscores, such as db-backup.'
  }
  const changes: CheckChanges = {
    ...timing,
    name: text('name', 100),
    slug,
    tags,
    desc: form.desc.trim(),
    methods: form.methods,
    manualResume: form.manualResume,
    filterSubject: form.filterSubject,
    filterBody: form.filterBody,
    filterHttpBody: form.filterHttpBody,
    filterDefaultFail: form.filterDefaultFail,
    startKw: text('startKw', 200),
    successKw: text('successKw', 200),
    failureKw: text('failureKw', 200),
  }
  return Object.keys(errors).length > 0 ? { errors } : { changes }
}

/** The timing that the form asks for; notes in `errors` what is wrong with it. */
export function readTiming(form: TimingForm, errors: FormErrors): TimingChanges {
  const graceSeconds = readLength(form, 'grace', errors)
  if (form.kind === 'simple') return { periodSeconds: readLength(form, 'period', errors), graceSeconds }
  return { graceSeconds, schedule: readSchedule(form, errors), tz: readZone(form, errors) }
}

function readLength(form: TimingForm, field: 'period' | 'grace', errors: FormErrors): number {
  const seconds = parseDuration(form[field])
  if (seconds !== null && seconds >= MIN_SECONDS && seconds <= MAX_SECONDS) return seconds
  errors[field] = `Enter ${LENGTH}.`
  return MIN_SECONDS
}

function readSchedule(form: TimingForm, errors: FormErrors): string {
  const field = form.kind === 'cron' ? 'cron' : 'oncalendar'
  const text = form[field].trim()
  const problem = scheduleProblem(field, text)
  if (problem !== null) errors[field] = problem
  return text
}

function readZone(form: TimingForm, errors: FormErrors): string {
  const zone = canonicalZone(form.tz.trim() || 'UTC')
  if (zone === null) errors.tz = 'Not a known time zone; choose one such as Europe/Riga or UTC.'
  return zone ?? 'UTC'
}
