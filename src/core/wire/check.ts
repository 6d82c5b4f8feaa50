/** A check on the wire. Source: docs/behaviour.md, section 4.8, also for the order of the keys. */
import type { Check, Status } from '../checks/check.js'
import type { ValueOf } from '../checks/check-field.js'
import { type CHECK_FIELDS, FIELD_LIST, type FieldsLike } from '../checks/check-fields.js'
import { isRunning, isStarted, nextPing, statusAt } from '../checks/status.js'
import { quoted } from './json.js'
import { type JsonKey, jsonMaker } from './json-maker.js'
import { isoSeconds } from './timestamp.js'
import type { WireView } from './version.js'

type Fields = typeof CHECK_FIELDS

/** The settings in the API, by their names there, with the comments of the table. */
export type SettingsOnWire = {
  -readonly [N in keyof Fields as ApiName<Fields[N]>]: ValueOf<Fields[N]['type']>
}

type ApiName<Field> = Field extends { api: infer Name extends string } ? Name : never

/** The settings that not every check has: `timeout` for simple checks, the others for cron and OnCalendar checks. */
export const TIMING_KEYS = ['timeout', 'schedule', 'tz'] as const satisfies (keyof SettingsOnWire)[]

type TimingKey = (typeof TIMING_KEYS)[number]

/** The settings that the JSON of a check is made from. */
type ShownSetting = FieldsLike<{ api: string } | { timing: string }>

/** The rest of a check that its JSON is made from. */
const SHOWN_STATE = [
  'status',
  'nPings',
  'lastPing',
  'lastStart',
  'lastDurationMs',
  'dueAt',
  'alertAfter',
  'tracking',
] as const
const SHOWN_NAMES = ['uuid', 'uniqueKey', 'badgeKey'] as const

/** The parts of a check that its JSON is made from. */
export type ShownCheck = Pick<
  Check,
  ShownSetting | (typeof SHOWN_STATE)[number] | (typeof SHOWN_NAMES)[number]
>

/** The names of these parts. */
export const SHOWN: ReadonlySet<string> = new Set([
  ...FIELD_LIST.flatMap(({ name, api, timing }) => ((api ?? timing) ? [name] : [])),
  ...SHOWN_STATE,
  ...SHOWN_NAMES,
])

/** What every API key sees. `grace`, `timeout` and `last_duration` are whole seconds. */
export interface CheckBase extends Omit<SettingsOnWire, TimingKey>, Partial<Pick<SettingsOnWire, TimingKey>> {
  n_pings: number
  /** `started` occurs only in version 1. */
  status: Status | 'started'
  started: boolean
  last_ping: string | null
  next_ping: string | null
  subject: string
  subject_fail: string
  badge_url: string
  last_duration?: number
}

/** What a read-write key sees in addition. */
export interface ReadWriteCheck extends CheckBase {
  uuid: string
  ping_url: string
  update_url: string
  pause_url: string
  resume_url: string
  /** UUIDs of the check's channels, sorted, comma-separated. */
  channels: string
}

/** What a read-only key sees in addition. */
export interface ReadOnlyCheck extends CheckBase {
  unique_key: string
}

/** The keys that are not settings. */
const COMPUTED: Record<string, (check: ShownCheck, seen: Seen) => string | number | boolean> = {
  n_pings: check => check.nPings,
  status: (check, { status, view }) =>
    view.version === 1 && isRunning(check, view.now, view.hold) ? '"started"' : `"${status}"`,
  started: check => isStarted(check),
  last_ping: check => instant(check.lastPing),
  next_ping: (check, { status }) => instant(nextPing(check, status)),
  subject: check => quoted(check.filterSubject ? check.successKw : ''),
  subject_fail: check => quoted(check.filterSubject ? check.failureKw : ''),
  badge_url: (check, { view }) => `"${view.siteRoot}/b/2/${check.badgeKey}.svg"`,
}

interface Seen {
  view: WireView
  status: Status
}

/** Clients rely on the order of the keys. Settings that are not named here follow `filter_default_fail`. */
const ORDER = (
  'name slug tags desc grace n_pings status started last_ping next_ping manual_resume methods subject subject_fail ' +
  'start_kw success_kw failure_kw filter_subject filter_body filter_http_body filter_default_fail badge_url'
).split(' ')

/** The keys that every check has, in their order. */
export const CHECK_KEYS: readonly string[] = [
  ...ORDER.slice(0, -1),
  ...FIELD_LIST.flatMap(({ api }) => (api === undefined || isNamed(api) ? [] : [api])),
  ...ORDER.slice(-1),
]

const writeBase = jsonMaker(CHECK_KEYS.map(jsonKey))

/** The JSON text of a check. `channels`: the UUIDs of its channels, in any order. */
export function checkJson(check: ShownCheck, channels: readonly string[], view: WireView): string {
  const base = writeBase(check, { view, status: statusAt(check, view.now, view.hold) })
  const access = view.access === 'rw' ? writable(check, channels, view) : `"unique_key": "${check.uniqueKey}"`
  return `{${base}, ${lastDuration(check)}${access}, ${timing(check)}}`
}

function isNamed(key: string): boolean {
  return ORDER.includes(key) || TIMING_KEYS.some(name => name === key)
}

function jsonKey(key: string): JsonKey<ShownCheck, Seen> {
  const field = FIELD_LIST.find(({ api }) => api === key)
  if (!field) return { key, write: COMPUTED[key]! }
  return { key, from: field.name, isText: field.type.is === 'text' || field.type.is === 'choice' }
}

function instant(ms: number | null): string {
  return ms === null ? 'null' : `"${isoSeconds(ms)}"`
}

/** A known duration in whole seconds; a duration of 0 ms is left out. */
function lastDuration({ lastDurationMs }: ShownCheck): string {
  return lastDurationMs ? `"last_duration": ${Math.floor(lastDurationMs / 1000)}, ` : ''
}

function writable({ uuid }: ShownCheck, channels: readonly string[], view: WireView): string {
  const url = `${view.siteRoot}/api/v${view.version}/checks/${uuid}`
  const listed = channels.length > 1 ? [...channels].sort().join(',') : (channels[0] ?? '')
  return (
    `"uuid": "${uuid}", "ping_url": "${view.pingEndpoint}${uuid}", "update_url": "${url}", ` +
    `"pause_url": "${url}/pause", "resume_url": "${url}/resume", "channels": "${listed}"`
  )
}

function timing(check: ShownCheck): string {
  if (check.kind === 'simple') return `"timeout": ${check.periodSeconds}`
  return `"schedule": ${quoted(check.schedule)}, "tz": "${check.tz}"`
}
