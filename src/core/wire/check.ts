/** A check on the wire. Source: section 4.8 of the behaviour, for the order of the keys too. */
import type { Check, Status } from '../checks/check.js'
import { isOverrun, isStarted, nextPing, statusAt } from '../checks/status.js'
import { quoted } from './json.js'
import { isoSeconds } from './timestamp.js'
import type { WireView } from './version.js'

/** What every key sees of a check. `grace`, `timeout` and `last_duration` are whole seconds. */
export interface CheckBase {
  name: string
  slug: string
  tags: string
  desc: string
  grace: number
  n_pings: number
  /** `started` occurs in version 1 only. */
  status: Status | 'started'
  started: boolean
  last_ping: string | null
  next_ping: string | null
  manual_resume: boolean
  methods: '' | 'POST'
  subject: string
  subject_fail: string
  start_kw: string
  success_kw: string
  failure_kw: string
  filter_subject: boolean
  filter_body: boolean
  filter_http_body: boolean
  filter_default_fail: boolean
  badge_url: string
  last_duration?: number
  /** Simple checks. */
  timeout?: number
  /** Cron and OnCalendar checks. */
  schedule?: string
  tz?: string
}

/** What a read-write key sees. */
export interface ReadWriteCheck extends CheckBase {
  uuid: string
  ping_url: string
  update_url: string
  pause_url: string
  resume_url: string
  /** UUIDs of the check's channels, sorted, comma-separated. */
  channels: string
}

/** What a read-only key sees. */
export interface ReadOnlyCheck extends CheckBase {
  unique_key: string
}

/** The JSON text of a check. `channels`: the UUIDs of its channels, in any order. */
export function checkJson(check: Check, channels: readonly string[], view: WireView): string {
  const shown = statusAt(check, view.now, view.hold)
  const status = view.version === 1 && isRunning(check, view) ? 'started' : shown
  return (
    `{"name": ${quoted(check.name)}, "slug": ${quoted(check.slug)}, "tags": ${quoted(check.tags)}, ` +
    `"desc": ${quoted(check.desc)}, "grace": ${check.graceSeconds}, "n_pings": ${check.nPings}, ` +
    `"status": "${status}", "started": ${isStarted(check)}, "last_ping": ${instant(check.lastPing)}, ` +
    `"next_ping": ${instant(nextPing(check, shown))}, "manual_resume": ${check.manualResume}, ` +
    `"methods": "${check.methods}", "subject": ${quoted(check.filterSubject ? check.successKw : '')}, ` +
    `"subject_fail": ${quoted(check.filterSubject ? check.failureKw : '')}, ` +
    `"start_kw": ${quoted(check.startKw)}, "success_kw": ${quoted(check.successKw)}, ` +
    `"failure_kw": ${quoted(check.failureKw)}, "filter_subject": ${check.filterSubject}, ` +
    `"filter_body": ${check.filterBody}, "filter_http_body": ${check.filterHttpBody}, ` +
    `"filter_default_fail": ${check.filterDefaultFail}, ` +
    `"badge_url": "${view.siteRoot}/b/2/${check.badgeKey}.svg", ${lastDuration(check)}` +
    `${view.access === 'rw' ? writable(check, channels, view) : `"unique_key": "${check.uniqueKey}"`}, ` +
    `${timing(check)}}`
  )
}

function instant(ms: number | null): string {
  return ms === null ? 'null' : `"${isoSeconds(ms)}"`
}

/** Known durations are shown in whole seconds; one of no time at all is not. */
function lastDuration({ lastDurationMs }: Check): string {
  return lastDurationMs ? `"last_duration": ${Math.floor(lastDurationMs / 1000)}, ` : ''
}

function writable({ uuid }: Check, channels: readonly string[], view: WireView): string {
  const url = `${view.siteRoot}/api/v${view.version}/checks/${uuid}`
  const listed = channels.length > 1 ? [...channels].sort().join(',') : (channels[0] ?? '')
  return (
    `"uuid": "${uuid}", "ping_url": "${view.pingEndpoint}${uuid}", "update_url": "${url}", ` +
    `"pause_url": "${url}/pause", "resume_url": "${url}/resume", "channels": "${listed}"`
  )
}

function timing(check: Check): string {
  if (check.kind === 'simple') return `"timeout": ${check.periodSeconds}`
  return `"schedule": ${quoted(check.schedule)}, "tz": "${check.tz}"`
}

function isRunning(check: Check, view: WireView): boolean {
  return isStarted(check) && !isOverrun(check, view.now, view.hold)
}
