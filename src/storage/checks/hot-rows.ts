/** The narrow row of a check, as the dialects read it for the ping path and the watcher. */
import type { CheckKind, StoredStatus } from '../../core/checks/check.js'
import type { LoadedCheck } from '../dialect.js'

export interface HotRow {
  id: number
  uuid: string
  project_id: number
  status: string
  status_since: number
  kind: string
  period_s: number
  grace_s: number
  schedule: string
  tz: string
  methods: string
  manual_resume: number
  filter_http_body: number
  filter_default_fail: number
  n_pings: number
  last_ping: number | null
  last_start: number | null
  last_start_rid: string | null
  last_duration: number | null
  due_at: number | null
  alert_after: number | null
  wake_at: number | null
  confirmation_link: number
}

/** The check of a row of the table `checks`. */
export function toLoadedCheck(row: HotRow): LoadedCheck {
  return {
    id: row.id,
    uuid: row.uuid,
    projectId: row.project_id,
    status: row.status as StoredStatus,
    statusSince: row.status_since,
    kind: row.kind as CheckKind,
    periodSeconds: row.period_s,
    graceSeconds: row.grace_s,
    schedule: row.schedule,
    tz: row.tz,
    methods: row.methods as '' | 'POST',
    manualResume: row.manual_resume === 1,
    filterHttpBody: row.filter_http_body === 1,
    filterDefaultFail: row.filter_default_fail === 1,
    nPings: row.n_pings,
    lastPing: row.last_ping,
    lastStart: row.last_start,
    lastStartRid: row.last_start_rid,
    lastDurationMs: row.last_duration,
    dueAt: row.due_at,
    alertAfter: row.alert_after,
    wakeAt: row.wake_at,
    confirmationLink: row.confirmation_link === 1,
  }
}

/** A copy of a check. Field by field: it is made for every ping, and a spread takes ten times as long. */
export function copyOf(check: LoadedCheck): LoadedCheck {
  return {
    id: check.id,
    uuid: check.uuid,
    projectId: check.projectId,
    status: check.status,
    statusSince: check.statusSince,
    kind: check.kind,
    periodSeconds: check.periodSeconds,
    graceSeconds: check.graceSeconds,
    schedule: check.schedule,
    tz: check.tz,
    methods: check.methods,
    manualResume: check.manualResume,
    filterHttpBody: check.filterHttpBody,
    filterDefaultFail: check.filterDefaultFail,
    nPings: check.nPings,
    lastPing: check.lastPing,
    lastStart: check.lastStart,
    lastStartRid: check.lastStartRid,
    lastDurationMs: check.lastDurationMs,
    dueAt: check.dueAt,
    alertAfter: check.alertAfter,
    wakeAt: check.wakeAt,
    confirmationLink: check.confirmationLink,
  }
}
