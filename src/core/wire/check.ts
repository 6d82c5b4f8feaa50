/** A check on the wire. Source: section 4.8 of the behaviour, for the order of the keys too. */
import type { Check, Status } from '../check.js'
import { isOverrun, isStarted, nextPing, statusAt } from '../status.js'
import { toJson } from './json.js'
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
  return toJson(checkShape(check, channels, view))
}

function checkShape(check: Check, channels: readonly string[], view: WireView): object {
  const status = statusAt(check, view.now, view.hold)
  const base = {
    name: check.name,
    slug: check.slug,
    tags: check.tags,
    desc: check.desc,
    grace: check.graceSeconds,
    n_pings: check.nPings,
    status: view.version === 1 && isRunning(check, view) ? 'started' : status,
    started: isStarted(check),
    last_ping: isoSeconds(check.lastPing),
    next_ping: isoSeconds(nextPing(check, status)),
    manual_resume: check.manualResume,
    methods: check.methods,
    subject: check.filterSubject ? check.successKw : '',
    subject_fail: check.filterSubject ? check.failureKw : '',
    start_kw: check.startKw,
    success_kw: check.successKw,
    failure_kw: check.failureKw,
    filter_subject: check.filterSubject,
    filter_body: check.filterBody,
    filter_http_body: check.filterHttpBody,
    filter_default_fail: check.filterDefaultFail,
    badge_url: `${view.siteRoot}/b/2/${check.badgeKey}.svg`,
    last_duration: check.lastDurationMs ? Math.floor(check.lastDurationMs / 1000) : undefined,
  }
  const identity = view.access === 'rw' ? writable(check, channels, view) : { unique_key: check.uniqueKey }
  const timing =
    check.kind === 'simple' ? { timeout: check.periodSeconds } : { schedule: check.schedule, tz: check.tz }
  return Object.assign(base, identity, timing)
}

function writable(check: Check, channels: readonly string[], view: WireView) {
  const updateUrl = `${view.siteRoot}/api/v${view.version}/checks/${check.uuid}`
  return {
    uuid: check.uuid,
    ping_url: view.pingEndpoint + check.uuid,
    update_url: updateUrl,
    pause_url: `${updateUrl}/pause`,
    resume_url: `${updateUrl}/resume`,
    channels: channels.length > 1 ? [...channels].sort().join(',') : (channels[0] ?? ''),
  }
}

function isRunning(check: Check, view: WireView): boolean {
  return isStarted(check) && !isOverrun(check, view.now, view.hold)
}
