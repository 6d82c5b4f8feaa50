import type { Generated } from 'kysely'
import type { ClosedBy } from '../../core/incidents/incident.js'
import type { SilenceMode } from '../../core/silences/silence.js'

/** The tables of incidents, silences, policies and dependencies. */
export interface IncidentTables {
  incidents: {
    id: Generated<number>
    project_id: number
    check_id: number
    /** The name of the check, if it is not in this project any more. */
    label: Generated<string>
    opened_at: number
    since_at: number
    cause: string
    /** When the check last went down, and that flip. */
    down_at: number
    flip_id: number
    closed_at: Generated<number | null>
    closed_by: Generated<ClosedBy | null>
    ack_by: Generated<string | null>
    ack_at: Generated<number | null>
    ack_note: Generated<string>
    ack_until: Generated<number | null>
    /** Whether it has ended and may hold alerts of checks that depend on its check, and from when on it does not. */
    releases: Generated<0 | 1>
    release_at: Generated<number | null>
    /** JSON: {@link CauseDetail}. */
    detail: Generated<string>
  }
  incident_events: {
    id: Generated<number>
    incident_id: number
    created_at: number
    kind: string
    channel_id: Generated<number | null>
    reason: Generated<string>
    text: Generated<string>
    author: Generated<string>
    until_at: Generated<number | null>
  }
  incident_channels: {
    incident_id: number
    check_id: number
    channel_id: number
    /** 1 if a step that names the channel has reached it: it counts as linked to the check. */
    is_target: Generated<0 | 1>
    /** 1 if the policy has alerted it, or asked to. */
    reached: Generated<0 | 1>
    steps: Generated<number>
    repeats: Generated<number>
    look_at: Generated<number | null>
    clock_ms: Generated<number>
    clock_at: number
    /** That of the incident. */
    project_id: number
  }
  silences: {
    id: Generated<number>
    project_id: number
    mode: SilenceMode
    scope: string
    channels: Generated<string | null>
    from_at: number
    to_at: Generated<number | null>
    kind: Generated<'cron' | 'oncalendar' | null>
    schedule: Generated<string | null>
    tz: Generated<string | null>
    duration_s: Generated<number | null>
    reason: Generated<string>
    created_by: Generated<string>
    created_at: number
    /** When it was ended before its time. */
    ended_at: Generated<number | null>
    /** When nothing of it is active any more; null: never. */
    over_at: Generated<number | null>
    changed_at: Generated<number | null>
    /** JSON, see core/silences/versions.ts. */
    earlier: Generated<string | null>
  }
  check_parents: { check_id: number; parent_id: number }
  policies: {
    id: Generated<number>
    project_id: number
    name: string
    /** JSON; see core/incidents/policy.ts. */
    steps: string
    repeat_every: Generated<number | null>
    repeat_times: Generated<number | null>
    created_at: number
  }
}
