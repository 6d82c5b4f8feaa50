/**
 * What a create or update request may hold. The order of the fields is the order in which they are checked: only
 * the first thing wrong is told. Source: section 4.4 of the behaviour.
 */
import { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { canonicalZone, parseSchedule, ScheduleError } from '../../core/schedule/index.js'

/** What a slug is made of. Source: decision D21. */
export const SLUG = /^[a-z0-9_-]*$/

/** Strings that every database keeps: no U+0000, no half of a surrogate pair. */
function text(field: string) {
  return z
    .string({ error: `${field} is not a string` })
    .refine(value => !value.includes('\0'), {
      error: `${field} contains a null character (U+0000)`,
      abort: true,
    })
    .refine(value => !/\p{Cs}/u.test(value), {
      error: `${field} contains half of a surrogate pair`,
      abort: true,
    })
}

/** Lengths count code points, as databases do. */
function shortText(field: string, maxLength: number) {
  return text(field)
    .refine(value => value.length <= maxLength || [...value].length <= maxLength, {
      error: `${field} is too long`,
      abort: true,
    })
    .meta({ maxLength })
}

function flag(field: string) {
  return z.boolean({ error: `${field} is not a boolean` })
}

/** Whole seconds from a minute to a year. JSON's true and false count as 1 and 0: too small. */
function seconds(field: string) {
  return z
    .int({
      error: issue => {
        if (issue.code === 'too_big') return `${field} is too large`
        const small = issue.code === 'too_small' || typeof issue.input === 'boolean'
        return small ? `${field} is too small` : `${field} is not a number`
      },
    })
    .min(60, { error: `${field} is too small` })
    .max(31_536_000, { error: `${field} is too large` })
}

function isSchedule(value: string): boolean {
  try {
    parseSchedule(value)
    return true
  } catch (error) {
    if (error instanceof ScheduleError) return false
    throw error
  }
}

/** The fields by which an upsert looks for a known check. */
const UNIQUE_FIELDS = ['name', 'slug', 'tags', 'timeout', 'grace'] as const

export const checkFields = z
  .object({
    channels: text('channels')
      .meta({ description: '`*` for all channels of the project, else UUIDs or names, comma-separated.' })
      .optional(),
    desc: text('desc').meta({ description: 'A description, of any length.' }).optional(),
    failure_kw: shortText('failure_kw', 200)
      .meta({ description: 'Comma-separated keywords of a failure.' })
      .optional(),
    filter_subject: flag('filter_subject')
      .meta({ description: 'Look for keywords in the subject of an e-mail.' })
      .optional(),
    filter_body: flag('filter_body')
      .meta({ description: 'Look for keywords in the body of an e-mail.' })
      .optional(),
    filter_http_body: flag('filter_http_body')
      .meta({ description: 'Look for keywords in the body of an HTTP ping.' })
      .optional(),
    filter_default_fail: flag('filter_default_fail')
      .meta({ description: 'What matches no keyword is a failure instead of being ignored.' })
      .optional(),
    grace: seconds('grace')
      .meta({ description: 'Seconds after the due time, and after a start, before the check goes down.' })
      .optional(),
    manual_resume: flag('manual_resume')
      .meta({ description: 'A paused check ignores pings until it is resumed.' })
      .optional(),
    methods: z
      .enum(['', 'POST'], { error: 'methods has unexpected value' })
      .meta({ description: '`POST`: pings with any other method are logged and ignored.' })
      .optional(),
    name: shortText('name', 100).optional(),
    schedule: shortText('schedule', 100)
      .refine(isSchedule, { error: 'schedule is not a valid cron or OnCalendar expression' })
      .meta({ description: 'A cron expression or OnCalendar lines. With it the period is not kept.' })
      .optional(),
    slug: shortText('slug', 100)
      .regex(SLUG, { error: 'slug does not match pattern' })
      .meta({ description: 'Names the check in ping URLs: a-z, 0-9, hyphen, underscore.' })
      .optional(),
    start_kw: shortText('start_kw', 200)
      .meta({ description: 'Comma-separated keywords of a start.' })
      .optional(),
    subject: shortText('subject', 200)
      .meta({ description: 'Use `success_kw` and `filter_subject` instead.', deprecated: true })
      .optional(),
    subject_fail: shortText('subject_fail', 200)
      .meta({ description: 'Use `failure_kw` and `filter_subject` instead.', deprecated: true })
      .optional(),
    success_kw: shortText('success_kw', 200)
      .meta({ description: 'Comma-separated keywords of a success.' })
      .optional(),
    tags: shortText('tags', 500).meta({ description: 'Tags, separated by spaces.' }).optional(),
    timeout: seconds('timeout')
      .meta({ description: 'The period: seconds between two successes.' })
      .optional(),
    tz: text('tz')
      .refine(value => canonicalZone(value) !== null, { error: 'tz is not a valid timezone' })
      .meta({ description: 'The time zone of the schedule, such as `Europe/Riga`.' })
      .optional(),
    unique: z
      .array(z.enum(UNIQUE_FIELDS, { error: "an item in 'unique' has unexpected value" }), {
        error: 'unique is not an array',
      })
      .meta({ description: 'Change the check that has the same values in these fields, if there is one.' })
      .optional(),
  })
  .meta({ id: 'CheckFields', description: 'What can be said of a check; everything is optional.' })

export type CheckFields = z.infer<typeof checkFields>

/** The fields of a request's body. Throws `Refusal('invalid')` with the first thing that is wrong. */
export function parseCheckFields(body: unknown): CheckFields {
  const parsed = checkFields.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid', `json validation error: ${parsed.error.issues[0]!.message}`)
}
