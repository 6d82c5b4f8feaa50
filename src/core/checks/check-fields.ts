/**
 * The fields of a check that people set, in the order of the form. Their types, defaults, columns, names in the API
 * and places in the form are defined here (docs/decisions/0111).
 */
import { type CheckField, choice, flag, seconds, text, type ValueOf } from './check-field.js'
import { RUN_FIELDS } from './run-fields.js'

const YEAR_SECONDS = 31_536_000

export const CHECK_FIELDS = {
  name: {
    row: 'details',
    column: 'name',
    type: text({ maxLength: 100 }),
    default: '',
    api: 'name',
    form: { part: 'names', label: 'Name', stopsAtMax: true },
  },
  /** Separated by spaces. */
  tags: {
    row: 'details',
    column: 'tags',
    type: text({ maxLength: 500, words: true }),
    default: '',
    api: 'tags',
    about: 'Tags, separated by spaces.',
    form: {
      part: 'names',
      label: 'Tags',
      help: 'Separated by spaces',
      row: 'labels',
      suggestions: 'known-tags',
    },
  },
  /** a-z, 0-9, hyphen, underscore. */
  slug: {
    row: 'details',
    column: 'slug',
    type: text({ maxLength: 100, format: 'slug' }),
    default: '',
    api: 'slug',
    about: 'Names the check in ping URLs: a-z, 0-9, hyphen, underscore.',
    form: {
      part: 'names',
      label: 'Slug',
      help: 'Used in readable ping URLs: a-z, 0-9, - and _',
      helpWhenNew: '. Leave empty to derive it from the name.',
      row: 'labels',
      mono: true,
    },
  },
  desc: {
    row: 'details',
    column: 'desc',
    type: text({}),
    default: '',
    api: 'desc',
    about: 'A description, of any length.',
    form: {
      part: 'names',
      label: 'Description',
      help: 'What the job does, where it runs, what to do when it fails',
      lines: 3,
    },
  },

  /** What decides when the next success is due: a period, a cron expression, or OnCalendar lines. */
  kind: {
    row: 'state',
    column: 'kind',
    type: choice('simple', 'cron', 'oncalendar'),
    default: 'simple',
    timing: 'schedule',
    native: null,
  },
  /** Simple checks: the longest expected time between two successes. */
  periodSeconds: {
    row: 'state',
    column: 'period_s',
    type: seconds(60, YEAR_SECONDS),
    default: 86_400,
    timing: 'schedule',
    api: 'timeout',
    native: 'period',
    about: 'The period: seconds between two successes.',
    label: 'Period',
  },
  /** Cron and OnCalendar checks: the expression as it was entered. */
  schedule: {
    row: 'state',
    column: 'schedule',
    type: text({ maxLength: 100, format: 'schedule' }),
    default: '* * * * *',
    timing: 'schedule',
    api: 'schedule',
    about: 'A cron expression or OnCalendar lines. With it the period is not kept.',
    label: 'Schedule',
  },
  /** How long after the due time, and after a start signal, before the check goes down. */
  graceSeconds: {
    row: 'state',
    column: 'grace_s',
    type: seconds(60, YEAR_SECONDS),
    default: 3_600,
    timing: 'limit',
    api: 'grace',
    about: 'Seconds after the due time, and after a start, before the check goes down.',
    form: {
      part: 'timing',
      label: 'Grace',
      name: 'grace',
      help: 'How late a ping may be, and how long a run may take',
    },
  },
  /** Canonical name of the zone in which `schedule` is read. */
  tz: {
    row: 'state',
    column: 'tz',
    type: text({ format: 'zone' }),
    default: 'UTC',
    timing: 'schedule',
    api: 'tz',
    about: 'The time zone of the schedule, such as `Europe/Riga`.',
    label: 'Time zone',
  },

  ...RUN_FIELDS,

  /** `""`: every verb counts. `POST`: any other verb is logged and ignored. */
  methods: {
    row: 'state',
    column: 'methods',
    type: choice('', 'POST'),
    default: '',
    api: 'methods',
    about: '`POST`: pings with any other method are logged and ignored.',
    form: {
      part: 'rules',
      label: 'HTTP requests',
      options: {
        '': { label: 'Any method' },
        POST: {
          label: 'Only POST',
          help: 'Requests by link previews and scanners (GET, HEAD) are logged but ignored',
        },
      },
    },
  },
  filterSubject: {
    row: 'details',
    column: 'filter_subject',
    type: flag,
    default: false,
    api: 'filter_subject',
    about: 'Search for keywords in the subject of an e-mail.',
    form: { part: 'rules', label: 'subjects of e-mails', group: 'Search for keywords in' },
  },
  filterBody: {
    row: 'details',
    column: 'filter_body',
    type: flag,
    default: false,
    api: 'filter_body',
    about: 'Search for keywords in the body of an e-mail.',
    form: { part: 'rules', label: 'bodies of e-mails', group: 'Search for keywords in' },
  },
  filterHttpBody: {
    row: 'state',
    column: 'filter_http_body',
    type: flag,
    default: false,
    api: 'filter_http_body',
    about: 'Search for keywords in the body of an HTTP ping.',
    form: { part: 'rules', label: 'bodies of HTTP pings', group: 'Search for keywords in' },
  },
  startKw: keywords('start_kw', 'Start'),
  successKw: keywords('success_kw', 'Success'),
  failureKw: keywords('failure_kw', 'Failure', {
    help: 'Separated by commas, case-sensitive. Failure keywords are checked first, then success, then start.',
  }),
  filterDefaultFail: {
    row: 'state',
    column: 'filter_default_fail',
    type: flag,
    default: false,
    api: 'filter_default_fail',
    about: 'What matches no keyword is a failure instead of being ignored.',
    form: {
      part: 'rules',
      label: 'A message without any keyword is a failure',
      help: 'Otherwise it is logged and ignored',
    },
  },
  manualResume: {
    row: 'state',
    column: 'manual_resume',
    type: flag,
    default: false,
    api: 'manual_resume',
    about: 'A paused check ignores pings until it is resumed.',
    form: {
      part: 'rules',
      label: 'Stay paused until resumed manually',
      help: 'Otherwise the next ping resumes the check',
    },
  },
  /** How long a check that goes down before those that it depends on waits for them. The rules are in docs/incidents.md. */
  dependsWaitSeconds: {
    row: 'details',
    column: 'depends_wait',
    type: seconds(0, 3_600),
    default: 300,
    about:
      'Seconds that a down alert waits for a check on which this one depends: until that pings, goes down, or they are over.',
    form: {
      part: 'dependencies',
      label: 'Wait for them',
      help: 'If this check goes down first, its alert waits this long for one of them to ping or go down',
      emptyIsDefault: true,
    },
  },
  /**
   * True while the e-mail rules come from the deprecated `subject` and `subject_fail`: then an e-mail without a match
   * is a success. Source: docs/behaviour.md, section 6.3.
   */
  subjectRules: {
    row: 'details',
    column: 'subject_rules',
    type: flag,
    default: false,
    native: null,
  },
} as const satisfies Record<string, CheckField>

type Fields = typeof CHECK_FIELDS

export type FieldName = keyof Fields

/** The names of the fields whose description matches `Like`: `FieldsLike<{ row: 'state' }>`. */
export type FieldsLike<Like> = {
  [N in FieldName]: Fields[N] extends Like ? N : never
}[FieldName]

/** The values that people set. */
export type Settings = { -readonly [N in keyof Fields]: ValueOf<Fields[N]['type']> }

/** All fields with their names, in the order of the table. */
export const FIELD_LIST = Object.entries(CHECK_FIELDS).map(([name, field]) => ({
  name: name as FieldName,
  ...(field as CheckField),
}))

/** The fields that people do not set and that nothing shows. */
export type HiddenField = FieldsLike<{ native: null; timing?: undefined }>
export const HIDDEN_FIELDS = FIELD_LIST.filter(
  ({ native, timing }) => native === null && timing === undefined,
)

/** The settings of a new check unless others are given. */
export const DEFAULT_SETTINGS = Object.freeze(
  Object.fromEntries(FIELD_LIST.map(({ name, default: byDefault }) => [name, byDefault])),
) as unknown as Readonly<Settings>

/** Keywords of one kind of ping, as typed: separated by commas. */
function keywords<const Column extends string>(column: Column, kind: string, form: { help?: string } = {}) {
  return {
    row: 'details',
    column,
    type: text({ maxLength: 200 }),
    default: '',
    api: column,
    about: `Comma-separated keywords of a ${kind.toLowerCase()}.`,
    form: { part: 'rules', label: `${kind} keywords`, ...form },
  } as const satisfies CheckField
}
