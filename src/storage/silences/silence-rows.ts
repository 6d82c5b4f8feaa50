import type { Selectable } from 'kysely'
import type { Silence, SilenceSettings, SilenceTimes } from '../../core/silences/silence.js'
import type { Earlier, Version } from '../../core/silences/versions.js'
import { overAt } from '../../core/silences/windows.js'
import type { IncidentTables } from '../incidents/incident-tables.js'

export type SilenceRow = Selectable<IncidentTables['silences']>

export function toSilence(row: SilenceRow): Silence {
  return {
    id: row.id,
    projectId: row.project_id,
    mode: row.mode,
    scope: JSON.parse(row.scope),
    channels: row.channels === null ? null : JSON.parse(row.channels),
    times: timesOf(row),
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}

/** What it holds today, and what it held before it was changed: the oldest first. */
export function versionsOf(row: SilenceRow): [Version, ...Earlier[]] {
  const { mode, scope, channels, times, endedAt } = toSilence(row)
  const earlier: Earlier[] = row.earlier === null ? [] : JSON.parse(row.earlier)
  return [{ mode, scope, channels, times, endedAt, appliesFrom: row.changed_at }, ...earlier]
}

function timesOf(row: SilenceRow): SilenceTimes {
  if (row.kind === null) return { kind: 'once', from: row.from_at, to: row.to_at! }
  return {
    kind: row.kind,
    schedule: row.schedule!,
    tz: row.tz!,
    durationSeconds: row.duration_s!,
    from: row.from_at,
  }
}

/** The columns of what people choose, and when it is over. */
export function silenceColumns({ mode, scope, channels, times, reason }: SilenceSettings) {
  return {
    mode,
    scope: JSON.stringify(scope),
    channels: channels === null ? null : JSON.stringify(channels),
    from_at: times.from,
    ...(times.kind === 'once' ? { ...ONCE, to_at: times.to } : recurring(times)),
    reason,
    over_at: overAt({ times, endedAt: null }),
  }
}

const ONCE = { kind: null, schedule: null, tz: null, duration_s: null }

function recurring({ kind, schedule, tz, durationSeconds }: Exclude<SilenceTimes, { kind: 'once' }>) {
  return { kind, schedule, tz, duration_s: durationSeconds, to_at: null }
}
