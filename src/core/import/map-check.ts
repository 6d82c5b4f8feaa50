/** Maps checks of Healthchecks to ours. */
import type { CheckKind, State, StoredStatus } from '../checks/check.js'
import { CHECK_FIELDS, DEFAULT_SETTINGS, type Settings } from '../checks/check-fields.js'
import { deadlinesOf } from '../checks/status.js'
import { parseSchedule } from '../schedule/index.js'
import { canonicalZone } from '../schedule/zones/canonical-zone.js'
import { milliseconds, type Note } from './map-people.js'
import type { SourceRow } from './source-schema.js'

export interface ImportedCheck {
  uuid: string
  badgeKey: string
  settings: Settings
  /** Without when its status began. */
  state: Omit<State, 'statusSince'>
  confirmationLink: boolean
  createdAt: number
}

const KINDS: readonly string[] = ['simple', 'cron', 'oncalendar'] satisfies CheckKind[]
const STATUSES: readonly string[] = ['new', 'up', 'down', 'paused'] satisfies StoredStatus[]

/** A check, with its settings, identifiers and state. */
export function mapCheck(row: SourceRow<'api_check'>, note: Note): ImportedCheck {
  const subject = `the check ${row.name || row.code}`
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    name: row.name ?? '',
    tags: row.tags ?? '',
    slug: row.slug ?? '',
    desc: row.desc ?? '',
    ...timingOf(row, subject, note),
    periodSeconds: secondsWithin('periodSeconds', row.timeout, subject, note),
    graceSeconds: secondsWithin('graceSeconds', row.grace, subject, note),
    methods: row.methods === 'POST' ? 'POST' : '',
    filterSubject: row.filter_subject === true,
    filterBody: row.filter_body === true,
    filterHttpBody: row.filter_http_body === true,
    filterDefaultFail: row.filter_default_fail === true,
    startKw: row.start_kw ?? '',
    successKw: row.success_kw ?? '',
    failureKw: row.failure_kw ?? '',
    manualResume: row.manual_resume === true,
  }
  const status = statusOf(row, subject, note)
  const run = { status, lastPing: milliseconds(row.last_ping), lastStart: milliseconds(row.last_start) }
  return {
    uuid: row.code!,
    badgeKey: row.badge_key ?? row.code!,
    settings,
    state: {
      ...run,
      nPings: row.n_pings ?? 0,
      lastStartRid: row.last_start_rid,
      lastDurationMs: milliseconds(row.last_duration),
      ...deadlinesOf(run, settings),
      tracking: null,
    },
    confirmationLink: row.has_confirmation_link === true,
    createdAt: milliseconds(row.created) ?? 0,
  }
}

function timingOf(
  row: SourceRow<'api_check'>,
  subject: string,
  note: Note,
): Pick<Settings, 'kind' | 'schedule' | 'tz'> {
  const tz = canonicalZone(row.tz || 'UTC')
  if (tz === null) note(subject, `the time zone ${row.tz} is not known: UTC instead`)
  const kind = KINDS.includes(row.kind ?? '') ? (row.kind as CheckKind) : 'simple'
  const schedule = row.schedule || DEFAULT_SETTINGS.schedule
  if (kind === 'simple') return { kind, schedule: DEFAULT_SETTINGS.schedule, tz: tz ?? 'UTC' }
  try {
    parseSchedule(schedule)
    return { kind, schedule, tz: tz ?? 'UTC' }
  } catch {
    note(subject, `the schedule ${JSON.stringify(schedule)} is not valid here: it has its period instead`)
    return { kind: 'simple', schedule: DEFAULT_SETTINGS.schedule, tz: tz ?? 'UTC' }
  }
}

function secondsWithin(
  field: 'periodSeconds' | 'graceSeconds',
  microseconds: number | null,
  subject: string,
  note: Note,
): number {
  const { type, default: byDefault } = CHECK_FIELDS[field]
  if (microseconds === null) return byDefault
  const given = Math.round(microseconds / 1e6)
  const within = Math.min(Math.max(given, type.min), type.max)
  if (within !== given) note(subject, `${given} seconds are not allowed here: ${within} instead`)
  return within
}

function statusOf(row: SourceRow<'api_check'>, subject: string, note: Note): StoredStatus {
  const { status } = row
  if (STATUSES.includes(status ?? '')) return status as StoredStatus
  note(subject, `the status ${status} is not known: new instead`)
  return 'new'
}
