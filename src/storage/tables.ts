/** The tables of the database. Rows never leave storage/: each noun's file maps them to core types. */
import type { Generated } from 'kysely'
import type { StoredStatus } from '../core/checks/check.js'
import type { Section } from '../core/config/project-config.js'
import type { MemberRole, Need } from '../core/people/role.js'
import type { AlertTables } from './alerts/alert-tables.js'
import type { SettingColumns } from './checks/rows/check-columns.js'
import type { EventTables } from './events/event-tables.js'
import type { IncidentTables } from './incidents/incident-tables.js'
import type { PeopleTables } from './people/people-tables.js'

type Bit = 0 | 1

export interface Tables extends PeopleTables, AlertTables, IncidentTables, EventTables {
  meta: { key: string; value: string }
  last_ids: { name: string; id: number }
  imported: { digest: string; user_id: number | null }
  rate_limits: { key: string; full_at: number }
  projects: {
    id: Generated<number>
    uuid: string
    owner_id: number | null
    name: string
    ping_key: string | null
    badge_key: string
    n_checks: Generated<number>
    wrap_flips: Generated<Bit | null>
    policy_id: Generated<number | null>
    /** Names with commas between them. */
    protocols: Generated<string | null>
    deleting: Generated<Bit>
    created_at: number
  }
  push_tokens: { token: string; check_id: number }
  /** What files of configuration own. */
  config_objects: {
    project_id: number
    section: Section
    key: string
    object: string
    owner: string
    begins_at: number | null
  }
  api_keys: {
    id: Generated<number>
    project_id: number
    kind: 'rw' | 'ro'
    digest: string
    hint: string
    created_at: number
  }
  /** Of a person or of a project. */
  api_tokens: {
    id: Generated<number>
    uuid: string
    user_id: number | null
    project_id: number | null
    role: MemberRole | null
    name: string
    digest: string
    hint: string
    scopes: string
    author_id: number | null
    created_at: number
    expires_at: number | null
    used_at: Generated<number | null>
  }
  api_requests: {
    caller: string
    key: string
    request: string
    /** Null while the request is under way. */
    answer: string | null
    created_at: number
  }
  checks: CheckStateRow
  check_details: CheckDetailsRow
  pings: {
    id: Generated<number>
    check_id: number
    n: number
    created_at: number
    created_us: number
    kind: string
    scheme: string
    remote_addr: string | null
    method: string
    ua: string
    rid: string | null
    exit_status: number | null
    body: Uint8Array | null
    object_size: number | null
    /** The duration of the run (ms) by the client's clock. */
    duration: Generated<number | null>
    /** The cause of a failure, unless it is `failed`. */
    cause: Generated<string | null>
    /** When it was to be sent (ms), if it arrived late. */
    ran_at: Generated<number | null>
  }
  passed_deadlines: {
    id: Generated<number>
    check_id: number
    passed_at: number
    cause: string
    since_at: number
    rid: string | null
  }
  uploads: {
    key: string
    check_id: number
    n: number
    body: Uint8Array
    due_at: number
    tries: Generated<number>
  }
  removals: { id: Generated<number>; check_uuid: string; n: number; due_at: number }
  undos: {
    uuid: string
    /** By which it is undone; the same for what one action did in several projects and transactions. */
    batch: string
    /** The number of the transaction in its action, from 0. */
    part: number
    made_at: number
    project_id: number
    user_id: number
    /** JSON; see core/checks/undo.ts. */
    change: string
    until_at: number
    claimed: Generated<Bit>
    /** JSON of an `EventActor`: who planned it. */
    actor: Generated<string | null>
  }
  flips: {
    id: Generated<number>
    check_id: number
    created_at: number
    old_status: string
    new_status: string
    reason: string
    /** The first counted failure, if it came earlier. */
    since_at: Generated<number | null>
  }
  channels: {
    id: Generated<number>
    uuid: string
    project_id: number
    name: string
    kind: string
    settings: string
    disabled: Generated<Bit>
    confirmed: Generated<Bit>
    last_notify: number | null
    enablings: Generated<number>
    /** How often the links in its messages ended. */
    link_version: Generated<number>
    last_duration: number | null
    last_error: Generated<string>
    /** The newest test notification, if it failed: when it began, and its error. */
    test_failed_at: Generated<number | null>
    test_error: Generated<string>
    /**
     * When it was last enabled, confirmed or given another destination; null: never. Reports about earlier
     * messages do not apply to it.
     */
    recipient_since: Generated<number | null>
    /** The messages within the minute and the hour that began then, by class. */
    minute_from: Generated<number | null>
    minute_down: Generated<number>
    minute_other: Generated<number>
    hour_from: Generated<number | null>
    hour_down: Generated<number>
    hour_other: Generated<number>
    /** The end of the hour for which the hold of down alerts, and of other messages, was announced. */
    down_announced: Generated<number | null>
    other_announced: Generated<number | null>
    unreachable_at: Generated<number | null>
    probe_at: Generated<number | null>
    failing_ms: Generated<number>
    /** Since when each attempt that was refused was so because the recipient does not exist; null: the newest one was not. */
    unknown_since: Generated<number | null>
    /** When the newest bounce came, and for how long (ms) all that was sent has bounced. */
    bounced_at: Generated<number | null>
    bounced_ms: Generated<number>
    created_at: number
  }
  check_channels: { check_id: number; channel_id: number }
  group_members: { group_id: number; member_id: number }
  mails: {
    id: Generated<number>
    uuid: string
    user_id: number
    kind: string
    subject: string
    text: string
    html: string
    unsubscribe_url: string
    about: Generated<string | null>
    attempts: Generated<number>
    /** When the first attempt failed since any e-mail was sent. */
    failing_since: Generated<number | null>
    /** When it was sent, if it may still bounce; null: it waits to be sent. */
    sent_at: Generated<number | null>
    due_at: number
    claimed_by: Generated<string | null>
    claimed_until: Generated<number | null>
    created_at: number
  }
  mail_projects: { mail_id: number; project_id: number; need: Need }
  quotas: { account: string; name: string; month: number; used: number }
  counted_messages: {
    charged: number
    channel_id: number
    account: string
    name: string
    month: number
    claimed_until: Generated<number | null>
  }
  beats: {
    process: string
    beat_at: number
    heard_at: number
    heard_from: Generated<number>
    number: Generated<number>
    stopped: number
    behind: Generated<string>
  }
  outages: {
    id: Generated<number>
    started_at: number
    ended_at: number
    hold_until: number
    partial: Generated<number>
    heard_ms: Generated<number>
    part: Generated<string>
  }
}

/**
 * The row of a check that is read and written with every ping: its state, and the settings
 * that the rules of pings use.
 */
export interface CheckStateRow extends SettingColumns<'state'> {
  id: Generated<number>
  uuid: string
  project_id: number
  status: Generated<StoredStatus>
  status_since: number
  n_pings: Generated<number>
  last_ping: number | null
  last_start: number | null
  last_start_rid: string | null
  last_duration: number | null
  due_at: number | null
  alert_after: number | null
  tracking: Generated<string | null>
  wake_at: number | null
  confirmation_link: Generated<Bit>
}

/** The other data of a check. */
export interface CheckDetailsRow extends SettingColumns<'details'> {
  check_id: number
  project_id: number
  unique_key: string
  badge_key: string
  policy_id: Generated<number | null>
  created_at: number
}
