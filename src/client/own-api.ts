// Written by `npm run docs` from the OpenAPI document of Punctual's own API.
import { OwnApiRequests } from './own-api-requests.js'

/** A check, as a read-write key sees it. */
export type Check = {
  uuid: string
  ping_url: string
  /** UUIDs of the channels. */
  channels: string[]
  kind: 'simple' | 'cron' | 'oncalendar'
  name: string
  /** Tags, separated by spaces. */
  tags: string[]
  /** Names the check in ping URLs: a-z, 0-9, hyphen, underscore. */
  slug: string
  /** A description, of any length. */
  desc: string
  /** The period: seconds between two successes. */
  period: number | null
  /** A cron expression or OnCalendar lines. With it the period is not kept. */
  schedule: string | null
  /** Seconds after the due time, and after a start, before the check goes down. */
  grace: number
  /** The time zone of the schedule, such as `Europe/Riga`. */
  tz: string | null
  /** Seconds after the due time within which a job must start or finish. Null: the grace time. */
  start_within: number | null
  /** Seconds that a run may take. Null: the grace time. */
  max_duration: number | null
  /** A success whose duration is known and shorter than these seconds is a failure. */
  min_duration: number | null
  /** `latest`: a new start replaces the run before it. `each`: every run has its own deadline. */
  track_runs: 'latest' | 'each'
  /** The check goes down at this failure. */
  failures_to_alert: number
  /** Failures are counted among this number of results. Null: failures in a row are counted. */
  failure_window: number | null
  /** The causes of failures that are counted; any other takes the check down at once. */
  tolerated: ('failed' | 'missed' | 'overrun' | 'too_short')[]
  /** A check that is down comes up at this success in a row. */
  successes_to_recover: number
  /** The exit statuses that are successes, such as `0,3,100-110`. */
  success_exit_codes: string
  /** A ping this many seconds before an occurrence belongs to it. Cron and OnCalendar only. */
  early: number
  /** `POST`: pings with any other method are logged and ignored. */
  methods: '' | 'POST'
  /** Search for keywords in the subject of an e-mail. */
  filter_subject: boolean
  /** Search for keywords in the body of an e-mail. */
  filter_body: boolean
  /** Search for keywords in the body of an HTTP ping. */
  filter_http_body: boolean
  /** Comma-separated keywords of a start. */
  start_kw: string
  /** Comma-separated keywords of a success. */
  success_kw: string
  /** Comma-separated keywords of a failure. */
  failure_kw: string
  /** What matches no keyword is a failure instead of being ignored. */
  filter_default_fail: boolean
  /** A paused check ignores pings until it is resumed. */
  manual_resume: boolean
  /** Seconds that a down alert waits for a check on which this one depends: until that pings, goes down, or they are over. */
  depends_wait: number
  /** The checks on which it depends: UUIDs, or unique keys for a read-only key. */
  depends_on: string[]
  /** The ID of the policy that it names; null: that of the project. */
  policy: number | null
  status: 'new' | 'up' | 'grace' | 'down' | 'paused'
  /** The failures that count so far, while the check is not down. */
  failing: {
    count: number
    of: number
    since: string
  } | null
  /** The ID of its open incident. */
  incident: number | null
  /** A run has begun and not finished. */
  started: boolean
  /** Pings received so far. */
  n_pings: number
  last_ping: string | null
  /** When the next ping is expected. */
  next_ping: string | null
  /** Seconds that the last run took. */
  last_duration: number | null
  created_at: string
  badge_url: string
}

/** A check, as a read-only key sees it. */
export type ReadOnlyCheck = Omit<Check, 'uuid' | 'ping_url' | 'channels'> & {
  unique_key: string
}

/** Why a request was refused (RFC 9457). */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  /** With status 422. */
  errors?: FieldError[]
  /** With status 403: the scope that a token needs; null: any token will do. */
  scope?: string | null
}

/** What is wrong with a field or a parameter. */
export type FieldError = {
  detail: string
  /** Where in the body (RFC 6901). */
  pointer?: string
  /** Which parameter of the query. */
  parameter?: string
}

/** What can be said of a new check; everything is optional. */
export type NewCheck = Partial<
  Omit<
    Check,
    | 'uuid'
    | 'ping_url'
    | 'channels'
    | 'kind'
    | 'period'
    | 'schedule'
    | 'tz'
    | 'depends_on'
    | 'policy'
    | 'status'
    | 'failing'
    | 'incident'
    | 'started'
    | 'n_pings'
    | 'last_ping'
    | 'next_ping'
    | 'last_duration'
    | 'created_at'
    | 'badge_url'
  >
> & {
  /** The period: seconds between two successes. */
  period?: number
  /** A cron expression or OnCalendar lines. With it the period is not kept. */
  schedule?: string
  /** The time zone of the schedule, such as `Europe/Riga`. */
  tz?: string
  /** UUIDs of all channels that the check is to have. */
  channels?: string[]
  /** UUIDs of all checks of the project on which the check is to depend. */
  depends_on?: string[]
  /** The ID or the name of its policy; null: that of the project. */
  policy?: number | string | null
  /** Change the oldest check that has the same values in these fields, if there is one. */
  unique?: ('name' | 'slug' | 'tags' | 'period' | 'grace')[]
}

/** What is to be changed; everything is optional. */
export type CheckChanges = Omit<NewCheck, 'unique'>

/** A run of the job. */
export type Run = {
  run_id: string | null
  start: string | null
  end: string | null
  /** Seconds, as far as it is known. */
  duration: number | null
  outcome: 'success' | 'failed' | 'too_short' | 'overrun' | 'superseded' | 'open'
  exit_status: number | null
  /** The numbers of its pings. */
  pings: number[]
}

/** What about a check may be meant otherwise than it is set. */
export type Finding = {
  code:
    | 'time_zone'
    | 'early'
    | 'period'
    | 'too_often'
    | 'limit_short'
    | 'never_pinged'
    | 'nobody_hears'
    | 'many_open_runs'
  /** A sentence with numbers. */
  evidence: string
  /** What would change it, as a PATCH of the check takes it. */
  patch: {
    name?: string
    /** Tags, separated by spaces. */
    tags?: string[]
    /** Names the check in ping URLs: a-z, 0-9, hyphen, underscore. */
    slug?: string
    /** A description, of any length. */
    desc?: string
    /** The period: seconds between two successes. */
    period?: number | null
    /** A cron expression or OnCalendar lines. With it the period is not kept. */
    schedule?: string | null
    /** Seconds after the due time, and after a start, before the check goes down. */
    grace?: number
    /** The time zone of the schedule, such as `Europe/Riga`. */
    tz?: string | null
    /** Seconds after the due time within which a job must start or finish. Null: the grace time. */
    start_within?: number | null
    /** Seconds that a run may take. Null: the grace time. */
    max_duration?: number | null
    /** A success whose duration is known and shorter than these seconds is a failure. */
    min_duration?: number | null
    /** `latest`: a new start replaces the run before it. `each`: every run has its own deadline. */
    track_runs?: 'latest' | 'each'
    /** The check goes down at this failure. */
    failures_to_alert?: number
    /** Failures are counted among this number of results. Null: failures in a row are counted. */
    failure_window?: number | null
    /** The causes of failures that are counted; any other takes the check down at once. */
    tolerated?: ('failed' | 'missed' | 'overrun' | 'too_short')[]
    /** A check that is down comes up at this success in a row. */
    successes_to_recover?: number
    /** The exit statuses that are successes, such as `0,3,100-110`. */
    success_exit_codes?: string
    /** A ping this many seconds before an occurrence belongs to it. Cron and OnCalendar only. */
    early?: number
    /** `POST`: pings with any other method are logged and ignored. */
    methods?: '' | 'POST'
    /** Search for keywords in the subject of an e-mail. */
    filter_subject?: boolean
    /** Search for keywords in the body of an e-mail. */
    filter_body?: boolean
    /** Search for keywords in the body of an HTTP ping. */
    filter_http_body?: boolean
    /** Comma-separated keywords of a start. */
    start_kw?: string
    /** Comma-separated keywords of a success. */
    success_kw?: string
    /** Comma-separated keywords of a failure. */
    failure_kw?: string
    /** What matches no keyword is a failure instead of being ignored. */
    filter_default_fail?: boolean
    /** A paused check ignores pings until it is resumed. */
    manual_resume?: boolean
    /** Seconds that a down alert waits for a check on which this one depends: until that pings, goes down, or they are over. */
    depends_wait?: number
  } | null
}

export type CheckOperations = {
  operations: unknown[]
}

export type CheckResult = {
  /** The status that the operation alone would have had. */
  status: number
  /** The check, unless it was deleted. */
  check?: Check
  /** Why the operation was refused. */
  problem?: Problem
}

/** A logged ping in a list. */
export type ListedPing = {
  /** Its number. */
  n: number
  at: string
  /** When it was to be sent, if it arrived late; `at` is when it arrived. */
  ran_at: string | null
  kind: 'success' | 'start' | 'fail' | 'log' | 'ign'
  exit_status: number | null
  /** Why it failed, if it did not say so itself. */
  cause: 'failed' | 'missed' | 'overrun' | 'too_short' | null
  /** Seconds that the run took, if it ended one. */
  duration: number | null
  run_id: string | null
  scheme: string
  remote_addr: string | null
  method: string
  ua: string
  /** Bytes; 0: it has no body. */
  body_size: number
  /** Where the body has the text, if `text` was asked for. */
  excerpt?: Excerpt
}

/** The first line of the body that has the text; cut where it is long. */
export type Excerpt = {
  /** Its number, from 1. */
  line: number
  before: string
  /** The text as it is in the body. */
  found: string
  after: string
}

/** A logged ping. */
export type Ping = Omit<ListedPing, 'excerpt'>

/** A change of status. */
export type Flip = {
  at: string
  before: 'new' | 'up' | 'down' | 'paused'
  status: 'new' | 'up' | 'down' | 'paused'
  /** Why it went down. */
  reason: string | null
  /** The first failure that counted, if it was earlier. */
  since: string | null
}

/** The addresses of a tag’s badges. */
export type BadgeSet = {
  svg: string
  svg3: string
  json: string
  json3: string
  shields: string
  shields3: string
}

/** The addresses of the badges of the checks with a tag. */
export type TagBadges = BadgeSet & {
  /** null: all checks. */
  tag: string | null
}

/** A tag, and how many checks have it. */
export type Tag = {
  tag: string
  checks: number
  down: number
  late: number
}

/** An empty object. */
export type Nothing = Record<string, never>

export type MoveCheck = {
  /** The UUID of the other project. */
  project: string
}

/** The tokens of the push addresses of a check, `/api/push/TOKEN`. */
export type PushTokens = {
  /** 8 to 100 letters, digits, `-` and `_`, and no UUID. One token is of one check. */
  tokens: string[]
}

export type Snooze = {
  seconds: number
}

/** A silence, as a read-write key sees it. */
export type Silence = {
  id: number
  state: 'active' | 'coming' | 'past'
  mode: 'hold' | 'expect_nothing'
  /** Checks: their UUIDs, or for a read-only key their unique keys. */
  scope:
    | {
        checks: string[]
      }
    | {
        tags: string[]
      }
    | {
        project: true
      }
  when:
    | {
        from: string
        to: string
      }
    | {
        cron: string
        duration: number
        timezone: string
        from: string
      }
    | {
        oncalendar: string
        duration: number
        timezone: string
        from: string
      }
  reason: string
  /** When it next begins or ceases to be active. */
  changes_at: string | null
  /** When nothing of it is active any more; null: never. */
  over_at: string | null
  /** When it was ended before its time. */
  ended_at: string | null
  created_at: string
  /** null: all channels. */
  channels: string[] | null
  created_by: string
}

/** A silence, as a read-only key sees it. */
export type ReadOnlySilence = Omit<Silence, 'channels' | 'created_by'>

export type NewSilence = {
  /** `expect_nothing`: in that time no run is expected, either. */
  mode?: 'hold' | 'expect_nothing'
  /** Which checks. */
  scope:
    | {
        /** UUIDs. */
        checks: string[]
      }
    | {
        /** Checks with at least one of them. */
        tags: string[]
      }
    | {
        project: true
      }
  /** UUIDs; null: all channels. */
  channels?: string[] | null
  /** Once, or again and again. */
  when:
    | {
        /** When it begins; now at the earliest, and by default. It cannot be changed once it has begun. */
        from?: string
        to: string
      }
    | {
        cron: string
        /** How long each window lasts, in elapsed seconds. */
        duration: number
        /** By whose clock windows begin, such as `Europe/Riga`. */
        timezone: string
        /** When it begins; now at the earliest, and by default. It cannot be changed once it has begun. */
        from?: string
      }
    | {
        oncalendar: string
        /** How long each window lasts, in elapsed seconds. */
        duration: number
        /** By whose clock windows begin, such as `Europe/Riga`. */
        timezone: string
        /** When it begins; now at the earliest, and by default. It cannot be changed once it has begun. */
        from?: string
      }
  /** Shown wherever an alert is held by this silence. */
  reason?: string
}

/** What is to be changed; everything is optional. */
export type SilenceChanges = Partial<NewSilence>

/** Why an alert about a check was or was not sent. */
export type Explanation = {
  check: {
    /** Null if the check is not in the project any more. */
    uuid?: string | null
    /** Instead of the UUID, for a read-only key. */
    unique_key?: string | null
    name: string
  }
  status: 'new' | 'up' | 'down' | 'paused'
  /** The open one, or else the last one. */
  incident: Incident | null
  channels: ExplainedChannel[]
}

/** The time from going down to coming up. */
export type Incident = {
  id: number
  check: {
    /** Null if the check is not in the project any more. */
    uuid?: string | null
    /** Instead of the UUID, for a read-only key. */
    unique_key?: string | null
    name: string
  }
  opened_at: string
  /** The first failure that was counted. */
  since: string
  /** `failed`, `missed`, `overrun` or `too_short`. */
  cause: string
  closed_at: string | null
  /** `person`: the check was moved to another project, or its log was cleared. */
  closed_by: 'recovery' | 'paused' | 'deleted' | 'person' | null
  /** Null if it is not acknowledged, or not any more. */
  acknowledged: {
    /** Null for a read-only key. */
    by: string | null
    at: string
    note: string
    until: string | null
  } | null
}

/** A channel, what it was sent, and what waits for it. */
export type ExplainedChannel = {
  /** Only its kind for a read-only key. */
  channel: {
    uuid?: string
    name?: string
    kind: string
  }
  unusable: 'disabled' | 'unconfirmed' | 'unreachable' | null
  /** If not, it is only sent the end of what it was sent. */
  linked: boolean
  /** When it was last sent that the check is down; null if that is over. */
  reported_at: string | null
  /** The last message about the incident. */
  last_message: IncidentEntry | null
  /** What was dropped after that message. */
  dropped: IncidentEntry[]
  waiting: {
    status: 'down' | 'up' | 'paused' | 'deleted'
    /** Set if it only asks that the incident is sent once more. */
    again: 'step' | 'repeat' | null
    since: string
    /** When it is looked at next; null: when the channel is enabled. */
    due_at: string | null
    attempts: number
    sending: boolean
    /** What it waits for; null: nothing, or its next attempt. */
    held_by: string | null
  }[]
  /** What holds its down alerts now. `until`: its end, or when it is looked at again. */
  holds: {
    reason: 'silence' | 'dependency'
    name: string
    until: string
  }[]
}

/** Something that happened to an incident. */
export type IncidentEntry =
  | {
      type: 'opened' | 'reopened'
      at: string
      cause: string
    }
  | {
      type: 'closed'
      at: string
      by: 'recovery' | 'paused' | 'deleted' | 'person'
    }
  | {
      type: 'message'
      at: string
      /** Null if it was deleted. */
      channel: {
        uuid?: string
        name?: string
        kind: string
      } | null
      /** `down`, `up` or `paused`. */
      status: string
      attempts: number
      last_attempt: string
      /** Null if it was sent; `Sending` while under way. */
      error: string | null
    }
  | {
      type: 'held'
      at: string
      /** Null if it was deleted. */
      channel: {
        uuid?: string
        name?: string
        kind: string
      } | null
      /** `silence`, `dependency`, `outage` (of Punctual, which may have missed a ping), `flapping`, `minute` and `hour` (limits of the channel), `receiver` (its rate limit), `unreachable` or `unknown`. */
      reason: string
      /** The reason in words, with the names of silences and checks. */
      text: string
      /** Its end, if that is known. */
      until: string | null
    }
  | {
      type: 'dropped'
      at: string
      /** Null if it was deleted. */
      channel: {
        uuid?: string
        name?: string
        kind: string
      } | null
      /** `superseded`, `held`, `over`, `closed`, `unreported`, `unwanted`, `unlinked`, `reported` or `acknowledged`. */
      reason: string
      /** What was not sent: a status, `step` or `repeat`. */
      text: string
    }
  | {
      type: 'acknowledged'
      at: string
      /** Null for a read-only key. */
      by: string | null
      note: string
      until: string | null
    }
  | {
      type: 'unacknowledged'
      at: string
      /** Null for a read-only key. */
      by: string | null
    }
  | {
      type: 'note'
      at: string
      /** Null for a read-only key. */
      by: string | null
      note: string
    }

/** A policy, as a read-write key sees it. */
export type Policy = {
  id: number
  name: string
  default: boolean
  repeat: {
    every: number
    times: number
  } | null
  /** How many checks name it. */
  checks: number
  steps: {
    after: number
    channels: 'check' | string[]
  }[]
}

/** A policy, as a read-only key sees it. */
export type ReadOnlyPolicy = Omit<Policy, 'steps'> & {
  steps: {
    after: number
  }[]
}

export type NewPolicy = {
  /** No two policies of a project have the same. */
  name: string
  /** In the order of `after`, from 0 to 604800 seconds. */
  steps: {
    /** Seconds since the check went down, without held time. */
    after: number
    /** `check`: the channels of the check; or UUIDs of channels. */
    channels: 'check' | string[]
  }[]
  /** Alerts everyone reached so far again: `times` times, `every` seconds after the last step. */
  repeat?: {
    every: number
    times: number
  } | null
  /** Whether it applies to the checks of the project that name no other. */
  default?: boolean
}

/** What is to be changed; everything is optional. */
export type PolicyChanges = {
  /** No two policies of a project have the same. */
  name?: string
  /** Whether it applies to the checks of the project that name no other. */
  default?: boolean
  /** In the order of `after`, from 0 to 604800 seconds. */
  steps?: {
    /** Seconds since the check went down, without held time. */
    after: number
    /** `check`: the channels of the check; or UUIDs of channels. */
    channels: 'check' | string[]
  }[]
  /** Alerts everyone reached so far again: `times` times, `every` seconds after the last step. */
  repeat?: {
    every: number
    times: number
  } | null
}

export type Event = {
  /** Grows with time; IDs may be missing. */
  id: string
  type:
    | 'check.created'
    | 'check.updated'
    | 'check.deleted'
    | 'check.paused'
    | 'check.resumed'
    | 'check.restored'
    | 'check.cleared'
    | 'check.moved'
    | 'check.planned'
    | 'check.unplanned'
    | 'check.down'
    | 'check.up'
    | 'incident.opened'
    | 'incident.reopened'
    | 'incident.closed'
    | 'incident.acknowledged'
    | 'incident.unacknowledged'
    | 'incident.noted'
    | 'channel.created'
    | 'channel.updated'
    | 'channel.deleted'
    | 'silence.created'
    | 'silence.updated'
    | 'silence.ended'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'member.added'
    | 'member.updated'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.ended'
    | 'key.created'
    | 'key.revoked'
    | 'token.created'
    | 'token.updated'
    | 'token.revoked'
    | 'project.created'
    | 'project.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.disabled'
    | 'webhook.deleted'
  at: string
  object: {
    kind:
      | 'check'
      | 'incident'
      | 'channel'
      | 'silence'
      | 'policy'
      | 'member'
      | 'invitation'
      | 'key'
      | 'token'
      | 'project'
      | 'webhook'
    /** Its ID or UUID in the API. */
    id: string
    /** Its name at that time. */
    name: string
  }
  /** Who did it; null: Punctual itself. */
  actor: {
    kind: 'person' | 'token' | 'key' | 'link' | 'command'
    id: string | null
    name: string
    /** For owners and managers only. */
    address?: string | null
  } | null
  /** The fields that changed, as they were before it. Secrets are masked. */
  before: { [name: string]: unknown } | null
  /** The fields that changed, as they were after it. Secrets are masked. */
  after: { [name: string]: unknown } | null
}

export type EventWebhook = {
  uuid: string
  name: string
  url: string
  types: (
    | 'check.created'
    | 'check.updated'
    | 'check.deleted'
    | 'check.paused'
    | 'check.resumed'
    | 'check.restored'
    | 'check.cleared'
    | 'check.moved'
    | 'check.planned'
    | 'check.unplanned'
    | 'check.down'
    | 'check.up'
    | 'incident.opened'
    | 'incident.reopened'
    | 'incident.closed'
    | 'incident.acknowledged'
    | 'incident.unacknowledged'
    | 'incident.noted'
    | 'channel.created'
    | 'channel.updated'
    | 'channel.deleted'
    | 'silence.created'
    | 'silence.updated'
    | 'silence.ended'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'member.added'
    | 'member.updated'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.ended'
    | 'key.created'
    | 'key.revoked'
    | 'token.created'
    | 'token.updated'
    | 'token.revoked'
    | 'project.created'
    | 'project.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.disabled'
    | 'webhook.deleted'
  )[]
  enabled: boolean
  /** Masked, except where it was just made. */
  secret: string
  /** In a row. */
  failures: number
  failing_since: string | null
  last_error: string
  /** When an event last arrived. */
  last_sent: string | null
  created_at: string
}

export type NewEventWebhook = {
  name: string
  /** Where the events are sent. */
  url: string
  /** Only these types; a kind, such as `check`, stands for all of its types. Empty: all. */
  types?: (
    | 'check.created'
    | 'check.updated'
    | 'check.deleted'
    | 'check.paused'
    | 'check.resumed'
    | 'check.restored'
    | 'check.cleared'
    | 'check.moved'
    | 'check.planned'
    | 'check.unplanned'
    | 'check.down'
    | 'check.up'
    | 'incident.opened'
    | 'incident.reopened'
    | 'incident.closed'
    | 'incident.acknowledged'
    | 'incident.unacknowledged'
    | 'incident.noted'
    | 'channel.created'
    | 'channel.updated'
    | 'channel.deleted'
    | 'silence.created'
    | 'silence.updated'
    | 'silence.ended'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'member.added'
    | 'member.updated'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.ended'
    | 'key.created'
    | 'key.revoked'
    | 'token.created'
    | 'token.updated'
    | 'token.revoked'
    | 'project.created'
    | 'project.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.disabled'
    | 'webhook.deleted'
    | 'check'
    | 'incident'
    | 'channel'
    | 'silence'
    | 'policy'
    | 'member'
    | 'invitation'
    | 'key'
    | 'token'
    | 'project'
    | 'webhook'
  )[]
  enabled?: boolean
}

/** What is to be changed. */
export type EventWebhookChanges = {
  name?: string
  /** Where the events are sent. */
  url?: string
  /** Only these types; a kind, such as `check`, stands for all of its types. Empty: all. */
  types?: (
    | 'check.created'
    | 'check.updated'
    | 'check.deleted'
    | 'check.paused'
    | 'check.resumed'
    | 'check.restored'
    | 'check.cleared'
    | 'check.moved'
    | 'check.planned'
    | 'check.unplanned'
    | 'check.down'
    | 'check.up'
    | 'incident.opened'
    | 'incident.reopened'
    | 'incident.closed'
    | 'incident.acknowledged'
    | 'incident.unacknowledged'
    | 'incident.noted'
    | 'channel.created'
    | 'channel.updated'
    | 'channel.deleted'
    | 'silence.created'
    | 'silence.updated'
    | 'silence.ended'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'member.added'
    | 'member.updated'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.ended'
    | 'key.created'
    | 'key.revoked'
    | 'token.created'
    | 'token.updated'
    | 'token.revoked'
    | 'project.created'
    | 'project.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.disabled'
    | 'webhook.deleted'
    | 'check'
    | 'incident'
    | 'channel'
    | 'silence'
    | 'policy'
    | 'member'
    | 'invitation'
    | 'key'
    | 'token'
    | 'project'
    | 'webhook'
  )[]
  enabled?: boolean
}

export type EventAttempt = {
  /** The ID of the event; null: a test. */
  event: string | null
  type: string
  at: string
  duration_ms: number
  /** Null: there was no answer. */
  status: number | null
  /** Empty: it arrived. */
  error: string
}

/** Which incidents are acknowledged, and how. */
export type AcknowledgeSeveral = {
  incidents: number[]
  note?: string
  /** When it counts as unacknowledged again; null: never. */
  until?: string | null
}

/** An incident, and what happened to it, oldest first. */
export type IncidentWithTimeline = Incident & {
  timeline: IncidentEntry[]
}

/** How an incident is acknowledged; everything is optional. */
export type Acknowledge = {
  note?: string
  /** When it counts as unacknowledged again; null: never. */
  until?: string | null
}

/** A note on an incident. */
export type IncidentNote = {
  note: string
}

export type ConfigExport = {
  /** The file as JSON. It has a variable such as `OPS_URL` in place of each secret. */
  document: { [name: string]: unknown }
  /** The variables that stand for secrets, with their places. */
  variables: {
    name: string
    at: string[]
  }[]
}

export type ConfigSchema = { [name: string]: unknown }

export type ConfigPlanRequest = {
  /** The content of the file as JSON, with its variables replaced. `GET /config/schema` has its JSON Schema. */
  document: { [name: string]: unknown }
  /** The name of the file. It owns what it creates or changes. */
  owner?: string
  /** Whether what the file owns and no longer has is deleted. */
  prune?: boolean
  /** How many objects may be deleted. Null: a fifth of what the file owns. */
  max_deletes?: number | null
}

export type ConfigPlan = {
  /** Of the project: `/config:apply` takes it. */
  fingerprint: string
  steps: {
    /** `adopt`: the object was made by other means, and from now on the file owns it. */
    action: 'create' | 'adopt' | 'change' | 'delete'
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
    /** Its key before. */
    moved_from: string | null
    fields: {
      name: string
      /** Null if it is a secret. */
      before: unknown
      /** Null if it is a secret. */
      after: unknown
      secret: boolean
    }[]
  }[]
  /** What the file owns and no longer has, and what stays because nothing is to be deleted. */
  left: {
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
  }[]
  /** What is wrong with the file, with the places in it. None: it can be applied. */
  problems: {
    at: string[]
    problem: string
  }[]
}

export type ConfigApplyRequest = {
  /** The content of the file as JSON, with its variables replaced. `GET /config/schema` has its JSON Schema. */
  document: { [name: string]: unknown }
  /** The name of the file. It owns what it creates or changes. */
  owner?: string
  /** Whether what the file owns and no longer has is deleted. */
  prune?: boolean
  /** How many objects may be deleted. Null: a fifth of what the file owns. */
  max_deletes?: number | null
  /** Of the plan that is to be applied; null: whatever the project is now. */
  fingerprint?: string | null
}

export type ConfigApplied = {
  steps: {
    /** `adopt`: the object was made by other means, and from now on the file owns it. */
    action: 'create' | 'adopt' | 'change' | 'delete'
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
    /** Its key before. */
    moved_from: string | null
    fields: {
      name: string
      /** Null if it is a secret. */
      before: unknown
      /** Null if it is a secret. */
      after: unknown
      secret: boolean
    }[]
  }[]
  /** What the file owns and no longer has, and what stays because nothing is to be deleted. */
  left: {
    section: 'channels' | 'policies' | 'checks' | 'silences'
    key: string
  }[]
}

export type ProjectEntry = {
  uuid: string
  name: string
  /** That of the person of the token, or that of the token. */
  role: 'owner' | 'manager' | 'member' | 'readonly'
}

export type NewProject = {
  /** At most 100 characters. */
  name: string
}

export type Project = {
  uuid: string
  name: string
  /** That of the person of the token, or that of the token. */
  role: 'owner' | 'manager' | 'member' | 'readonly'
  /** How version 3 of the API that Healthchecks has lists flips; `default`: as the operator set it. */
  flips: 'default' | 'array' | 'object'
  /** The protocols of other monitors that the project accepts. */
  protocols: ('sentry' | 'alertmanager' | 'gatus' | 'cronitor' | 'uptime-kuma')[]
}

/** What is to be changed; everything is optional. */
export type ProjectChanges = {
  /** At most 100 characters. */
  name?: string
  /** How version 3 of the API that Healthchecks has lists flips; `default`: as the operator set it. */
  flips?: 'default' | 'array' | 'object'
  /** The protocols of other monitors that the project accepts. */
  protocols?: ('sentry' | 'alertmanager' | 'gatus' | 'cronitor' | 'uptime-kuma')[]
}

export type NewOffer = {
  /** The UUID of a member. */
  member: string
}

export type Key = {
  kind: 'rw' | 'ro' | 'ping'
  /** Its first characters; `ping` for the ping key. */
  hint: string
  /** Null for the ping key. */
  created_at: string | null
  /** The ping key, for tokens with the scopes that it amounts to; null for others. */
  key: string | null
}

export type NewKey = {
  kind: 'rw' | 'ro' | 'ping'
}

export type CreatedKey = {
  kind: 'rw' | 'ro' | 'ping'
  /** Its first characters; `ping` for the ping key. */
  hint: string
  /** An API key is shown only now. */
  key: string
}

export type Token = {
  uuid: string
  name: string
  scopes: (
    | 'checks:read'
    | 'checks:write'
    | 'pings:read'
    | 'pings:write'
    | 'incidents:write'
    | 'channels:write'
    | 'config:write'
    | 'log:read'
    | 'members:write'
  )[]
  expires_at: string | null
  /** Its first characters. */
  hint: string
  /** Null: the operator, or a closed account. */
  author: string | null
  created_at: string
  /** To the hour; null: never. */
  used_at: string | null
}

export type NewToken = {
  name: string
  scopes: (
    | 'checks:read'
    | 'checks:write'
    | 'pings:read'
    | 'pings:write'
    | 'incidents:write'
    | 'channels:write'
    | 'config:write'
    | 'log:read'
    | 'members:write'
  )[]
  /** Null: never. */
  expires_at: string | null
}

export type CreatedToken = {
  uuid: string
  name: string
  scopes: (
    | 'checks:read'
    | 'checks:write'
    | 'pings:read'
    | 'pings:write'
    | 'incidents:write'
    | 'channels:write'
    | 'config:write'
    | 'log:read'
    | 'members:write'
  )[]
  expires_at: string | null
  /** Shown only now. */
  token: string
}

export type Member = {
  uuid: string
  email: string
  role: 'owner' | 'manager' | 'member' | 'readonly'
  /** When the project was offered to them. */
  offered_at: string | null
}

export type MemberChanges = {
  role: 'manager' | 'member' | 'readonly'
}

export type Invitation = {
  uuid: string
  role: 'manager' | 'member' | 'readonly'
  /** Null: the link is passed on. */
  email: string | null
  inviter: string | null
  created_at: string
  expires_at: string
}

export type NewInvitation = {
  /** Where the link is sent to; null: nowhere. */
  email?: string | null
  role: 'manager' | 'member' | 'readonly'
}

export type CreatedInvitation = Invitation & {
  /** Works once, within a week. Shown only now. */
  link: string
  /** The address that the link was sent to. */
  sent_to: string | null
}

export type Person = {
  uuid: string
  email: string
  timezone: string
  theme: 'auto' | 'light' | 'dark'
  reports: 'off' | 'daily' | 'weekly' | 'monthly'
  /** Seconds between e-mails about checks that are down; 0: none. */
  reminders: 0 | 3600 | 86400
}

/** What is to be changed; everything is optional. */
export type PersonChanges = {
  timezone?: string
  theme?: 'auto' | 'light' | 'dark'
  reports?: 'off' | 'daily' | 'weekly' | 'monthly'
  /** Seconds between e-mails about checks that are down; 0: none. */
  reminders?: 0 | 3600 | 86400
}

export type ChannelKind = {
  kind: string
  label: string
  help: string
  /** Whether this installation can send through it. */
  available: boolean
  /** Whether it can be created here; if not, on a page. */
  by_api: boolean
  fields: {
    name: string
    label: string
    type: string
    required: boolean
    sensitive: boolean
    choices: string[] | null
    default: string
    help: string
  }[]
}

export type Channel = {
  uuid: string
  kind: string
  name: string
  /** Secrets are masked. */
  settings: { [name: string]: string }
  enabled: boolean
  /** False until the owner of the address has agreed. */
  confirmed: boolean
  last_notify: string | null
  /** Of the last attempt; empty after a success. */
  last_error: string
  created_at: string
}

export type NewChannel = {
  kind: string
  name?: string
  /** By the names of the fields of the kind; all values are text, flags `true` or `false`. */
  settings?: { [name: string]: string }
}

export type ChannelSetup = {
  /** The page where a person finishes it, signed in. */
  setup_url: string
  reason: string
}

/** What is to be changed; everything is optional. */
export type ChannelChanges = {
  name?: string
  /** Those to be changed; the others, and secrets, stay. */
  settings?: { [name: string]: string }
  enabled?: boolean
}

/** The UUIDs of all checks that it is assigned to. */
export type ChannelChecks = {
  checks: string[]
}

export type NewChannelTest = {
  status: 'up' | 'down'
  /** Empty: it was delivered. */
  error: string
  duration_ms: number
}

export type ChannelTest = {
  results: {
    channel: string
    status: 'up' | 'down'
    /** Empty: it was delivered. */
    error: string
    duration_ms: number
  }[]
}

export type ChannelNotifications = {
  notifications: {
    at: string
    /** Null for tests and notices. */
    check: string | null
    status: string
    /** Null if none was made: the message was dropped, and `error` says why. */
    attempt: number | null
    /** Empty after a success. */
    error: string
    test: boolean
  }[]
}

/** Punctual's own API. Every method throws an `ApiError` for an error status. */
export class PunctualApi extends OwnApiRequests {
  /** List the checks of the project. */
  listChecks(
    options: {
      /** Only checks with this status now, or one of several with commas between them: new, up, grace, down, paused. */ status?: string /** Only checks with this tag, or with all of several with spaces between them. */
      tag?: string /** Only checks with this slug. */
      slug?: string /** Only checks with exactly this name. */
      name?: string /** Only checks found by this text, as in the list on pages: a part of name, slug, tags or UUID, or beginnings of words; if nothing has them, parts of words. */
      search?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Check | ReadOnlyCheck, void, void> {
    return this.pages({ method: 'GET', path: '/checks', options })
  }

  /** Create a check. */
  createCheck(
    body: NewCheck,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: '/checks', body, options })
  }

  /** Get a check. */
  getCheck(uuid: string): Promise<Check | ReadOnlyCheck> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}` })
  }

  /** Change a check. */
  patchCheck(
    uuid: string,
    body: CheckChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Check> {
    return this.json({ method: 'PATCH', path: `/checks/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete a check. */
  deleteCheck(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/checks/${encodeURIComponent(uuid)}`, options })
  }

  /** List the runs of a check. */
  listRuns(
    uuid: string,
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Run, void, void> {
    return this.pages({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/runs`, options })
  }

  /** List what about a check may be meant otherwise than it is set. */
  listFindings(uuid: string): Promise<{
    findings: Finding[]
  }> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/findings` })
  }

  /** Create, change, delete, pause and resume many checks. */
  batchChecks(
    body: CheckOperations,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<{
    results: CheckResult[]
  }> {
    return this.json({ method: 'POST', path: '/checks:batch', body, options })
  }

  /** List the logged pings of a check. */
  listPings(
    uuid: string,
    options: {
      /** Only pings of this kind, or of several with commas between them: success, start, fail, log, ign. */ kind?: string /** Only pings whose body has this text within a line, in any case. Each request looks at up to 1,000 pings, 10 MB of bodies and 100 bodies in object storage: a page may have few pings or none although `next` is not null. Bodies in object storage that cannot be read are passed over. */
      text?: string /** Only those at this instant or later. */
      from?: string /** Only those before this instant. */
      to?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<ListedPing, void, void> {
    return this.pages({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/pings`, options })
  }

  /** Get a logged ping. */
  getPing(uuid: string, n: number): Promise<Ping> {
    return this.json({
      method: 'GET',
      path: `/checks/${encodeURIComponent(uuid)}/pings/${encodeURIComponent(n)}`,
    })
  }

  /** Get the body of a logged ping, such as the output of a job. */
  getPingBody(uuid: string, n: number): Promise<Response> {
    return this.request({
      method: 'GET',
      path: `/checks/${encodeURIComponent(uuid)}/pings/${encodeURIComponent(n)}/body`,
    })
  }

  /** List the changes of status of a check. */
  listFlips(
    uuid: string,
    options: {
      /** Only those at this instant or later. */ from?: string /** Only those before this instant. */
      to?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Flip, void, void> {
    return this.pages({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/flips`, options })
  }

  /** Get the badges of a check. */
  getCheckBadges(uuid: string): Promise<BadgeSet> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/badges` })
  }

  /** List the badges of the project. */
  listBadges(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<TagBadges, void, void> {
    return this.pages({ method: 'GET', path: '/badges', options })
  }

  /** List the tags of the project. */
  listTags(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Tag, void, void> {
    return this.pages({ method: 'GET', path: '/tags', options })
  }

  /** Pause a check. */
  pauseCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/pause`, body, options })
  }

  /** Resume a check. */
  resumeCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/resume`, body, options })
  }

  /** Copy a check. */
  copyCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/copy`, body, options })
  }

  /** Move a check to another project. */
  moveCheck(
    uuid: string,
    body: MoveCheck,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/move`, body, options })
  }

  /** Delete the log of a check. */
  clearCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/clear`, body, options })
  }

  /** List the push tokens of a check. */
  getPushTokens(uuid: string): Promise<PushTokens> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/push-tokens` })
  }

  /** Give a check these push tokens, and no others. */
  putPushTokens(
    uuid: string,
    body: PushTokens,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<PushTokens> {
    return this.json({
      method: 'PUT',
      path: `/checks/${encodeURIComponent(uuid)}/push-tokens`,
      body,
      options,
    })
  }

  /** Hold the alerts of a check for a time. */
  snoozeCheck(
    uuid: string,
    body: Snooze,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Silence> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/snooze`, body, options })
  }

  /** List the silences of the project. */
  listSilences(
    options: {
      /** Only silences in this state. */ state?:
        | 'active'
        | 'coming'
        | 'past' /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Silence | ReadOnlySilence, void, void> {
    return this.pages({ method: 'GET', path: '/silences', options })
  }

  /** Create a silence. */
  createSilence(
    body: NewSilence,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Silence> {
    return this.json({ method: 'POST', path: '/silences', body, options })
  }

  /** Get a silence. */
  getSilence(id: number): Promise<Silence | ReadOnlySilence> {
    return this.json({ method: 'GET', path: `/silences/${encodeURIComponent(id)}` })
  }

  /** Change a silence. */
  patchSilence(
    id: number,
    body: SilenceChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Silence> {
    return this.json({ method: 'PATCH', path: `/silences/${encodeURIComponent(id)}`, body, options })
  }

  /** End a silence now. */
  endSilence(
    id: number,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Silence> {
    return this.json({ method: 'DELETE', path: `/silences/${encodeURIComponent(id)}`, options })
  }

  /** Explain why an alert was or was not sent. */
  explainCheck(uuid: string): Promise<Explanation> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/explain` })
  }

  /** List the policies of the project. */
  listPolicies(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Policy | ReadOnlyPolicy, void, void> {
    return this.pages({ method: 'GET', path: '/policies', options })
  }

  /** Create a policy. */
  createPolicy(
    body: NewPolicy,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Policy> {
    return this.json({ method: 'POST', path: '/policies', body, options })
  }

  /** Get a policy. */
  getPolicy(id: number): Promise<Policy | ReadOnlyPolicy> {
    return this.json({ method: 'GET', path: `/policies/${encodeURIComponent(id)}` })
  }

  /** Change a policy. */
  patchPolicy(
    id: number,
    body: PolicyChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Policy> {
    return this.json({ method: 'PATCH', path: `/policies/${encodeURIComponent(id)}`, body, options })
  }

  /** Delete a policy. */
  deletePolicy(
    id: number,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/policies/${encodeURIComponent(id)}`, options })
  }

  /** List who changed what, and what happened to checks. */
  getLog(
    options: {
      /** Only of the object with this ID. */ object?: string /** Only of objects of this kind. */
      kind?:
        | 'check'
        | 'incident'
        | 'channel'
        | 'silence'
        | 'policy'
        | 'member'
        | 'invitation'
        | 'key'
        | 'token'
        | 'project'
        | 'webhook' /** Only by this actor, such as `person:UUID`; `punctual`: by Punctual itself; `others`: by people and programs. */
      actor?: string /** Only these types, with commas between them. A kind stands for all of its types. */
      type?: string /** Only from this instant on. */
      from?: string /** Only before this instant. */
      to?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Event, void, void> {
    return this.pages({ method: 'GET', path: '/log', options })
  }

  /** Follow the events of the project. */
  streamEvents(
    options: {
      /** Only these types, with commas between them. A kind stands for all of its types. */ type?: string
    } = {},
  ): Promise<Response> {
    return this.request({ method: 'GET', path: '/events', options })
  }

  /** List the event webhooks of the project. */
  listEventWebhooks(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<EventWebhook, void, void> {
    return this.pages({ method: 'GET', path: '/event-webhooks', options })
  }

  /** Create an event webhook. */
  createEventWebhook(
    body: NewEventWebhook,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<EventWebhook> {
    return this.json({ method: 'POST', path: '/event-webhooks', body, options })
  }

  /** Get an event webhook. */
  getEventWebhook(uuid: string): Promise<EventWebhook> {
    return this.json({ method: 'GET', path: `/event-webhooks/${encodeURIComponent(uuid)}` })
  }

  /** Change, enable or disable an event webhook. */
  patchEventWebhook(
    uuid: string,
    body: EventWebhookChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<EventWebhook> {
    return this.json({ method: 'PATCH', path: `/event-webhooks/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete an event webhook. */
  deleteEventWebhook(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/event-webhooks/${encodeURIComponent(uuid)}`, options })
  }

  /** Make a new secret for an event webhook. */
  rotateEventWebhookSecret(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<EventWebhook> {
    return this.json({ method: 'POST', path: `/event-webhooks/${encodeURIComponent(uuid)}/secret`, options })
  }

  /** Send a test to an event webhook. */
  testEventWebhook(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<EventAttempt> {
    return this.json({ method: 'POST', path: `/event-webhooks/${encodeURIComponent(uuid)}/test`, options })
  }

  /** List the newest requests of an event webhook. */
  listEventWebhookAttempts(
    uuid: string,
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<EventAttempt, void, void> {
    return this.pages({
      method: 'GET',
      path: `/event-webhooks/${encodeURIComponent(uuid)}/attempts`,
      options,
    })
  }

  /** List the incidents of the project. */
  listIncidents(
    options: {
      /** `true`: only open ones; `false`: only closed ones. */ open?: boolean /** Only those that were open at this instant or later. */
      from?: string /** Only those that were opened before this instant. */
      to?: string /** Only those of the check with this UUID or unique key. */
      check?: string /** Only those of checks with this tag. */
      tag?: string /** Only those that were sent to the channel with this UUID. */
      channel?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Incident, void, void> {
    return this.pages({ method: 'GET', path: '/incidents', options })
  }

  /** Acknowledge several incidents. */
  acknowledgeIncidents(
    body: AcknowledgeSeveral,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<{
    /** Those that were not closed. */
    acknowledged: number[]
  }> {
    return this.json({ method: 'POST', path: '/incidents/acknowledge', body, options })
  }

  /** Get an incident with what happened to it. */
  getIncident(id: number): Promise<IncidentWithTimeline> {
    return this.json({ method: 'GET', path: `/incidents/${encodeURIComponent(id)}` })
  }

  /** Acknowledge an incident. */
  acknowledgeIncident(
    id: number,
    body: Acknowledge,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Incident> {
    return this.json({
      method: 'POST',
      path: `/incidents/${encodeURIComponent(id)}/acknowledge`,
      body,
      options,
    })
  }

  /** Take an acknowledgement back. */
  unacknowledgeIncident(id: number): Promise<Incident> {
    return this.json({ method: 'DELETE', path: `/incidents/${encodeURIComponent(id)}/acknowledge` })
  }

  /** Add a note to an incident. */
  addIncidentNote(
    id: number,
    body: IncidentNote,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Incident> {
    return this.json({ method: 'POST', path: `/incidents/${encodeURIComponent(id)}/notes`, body, options })
  }

  /** Get the file that describes a project. */
  exportConfig(): Promise<ConfigExport> {
    return this.json({ method: 'GET', path: '/config' })
  }

  /** Get the JSON Schema of files, for editors. */
  getConfigSchema(): Promise<ConfigSchema> {
    return this.json({ method: 'GET', path: '/config/schema' })
  }

  /** Say what applying a file would change. */
  planConfig(
    body: ConfigPlanRequest,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<ConfigPlan> {
    return this.json({ method: 'POST', path: '/config:plan', body, options })
  }

  /** Make a project as a file describes it. */
  applyConfig(
    body: ConfigApplyRequest,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<ConfigApplied> {
    return this.json({ method: 'POST', path: '/config:apply', body, options })
  }

  /** List the projects of the token. */
  listProjects(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<ProjectEntry, void, void> {
    return this.pages({ method: 'GET', path: '/projects', options })
  }

  /** Create a project. */
  createProject(
    body: NewProject,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Project> {
    return this.json({ method: 'POST', path: '/projects', body, options })
  }

  /** Get a project. */
  getProject(uuid: string): Promise<Project> {
    return this.json({ method: 'GET', path: `/projects/${encodeURIComponent(uuid)}` })
  }

  /** Change a project. */
  patchProject(
    uuid: string,
    body: ProjectChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Project> {
    return this.json({ method: 'PATCH', path: `/projects/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete a project with everything in it. */
  deleteProject(
    uuid: string,
    options: {
      /** The name of the project, as a safeguard. */ name: string /** An ETag: the change is made only if the resource still has it. */
      ifMatch?: string
    },
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/projects/${encodeURIComponent(uuid)}`, options })
  }

  /** Offer a project to a member. */
  offerProject(
    uuid: string,
    body: NewOffer,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({
      method: 'POST',
      path: `/projects/${encodeURIComponent(uuid)}/transfer`,
      body,
      options,
    })
  }

  /** Withdraw or decline the offer of a project. */
  endProjectOffer(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/projects/${encodeURIComponent(uuid)}/transfer` })
  }

  /** Accept an offered project. */
  acceptProject(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({
      method: 'POST',
      path: `/projects/${encodeURIComponent(uuid)}/transfer/accept`,
      options,
    })
  }

  /** Leave a project. */
  leaveProject(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'POST', path: `/projects/${encodeURIComponent(uuid)}/leave`, options })
  }

  /** List the keys of the project. */
  listKeys(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Key, void, void> {
    return this.pages({ method: 'GET', path: '/keys', options })
  }

  /** Create a key. */
  createKey(
    body: NewKey,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<CreatedKey> {
    return this.json({ method: 'POST', path: '/keys', body, options })
  }

  /** Revoke a key. */
  revokeKey(hint: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/keys/${encodeURIComponent(hint)}` })
  }

  /** List the API tokens of the project. */
  listTokens(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Token, void, void> {
    return this.pages({ method: 'GET', path: '/tokens', options })
  }

  /** Create an API token of the project. */
  createToken(
    body: NewToken,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<CreatedToken> {
    return this.json({ method: 'POST', path: '/tokens', body, options })
  }

  /** Revoke an API token of the project. */
  revokeToken(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/tokens/${encodeURIComponent(uuid)}` })
  }

  /** List the owner and the members of the project. */
  listMembers(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Member, void, void> {
    return this.pages({ method: 'GET', path: '/members', options })
  }

  /** Get a member of the project. */
  getMember(uuid: string): Promise<Member> {
    return this.json({ method: 'GET', path: `/members/${encodeURIComponent(uuid)}` })
  }

  /** Change the role of a member. */
  patchMember(
    uuid: string,
    body: MemberChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Member> {
    return this.json({ method: 'PATCH', path: `/members/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Remove a member from the project. */
  removeMember(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/members/${encodeURIComponent(uuid)}`, options })
  }

  /** List the open invitations to the project. */
  listInvitations(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Invitation, void, void> {
    return this.pages({ method: 'GET', path: '/invitations', options })
  }

  /** Invite a person to the project. */
  createInvitation(
    body: NewInvitation,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<CreatedInvitation> {
    return this.json({ method: 'POST', path: '/invitations', body, options })
  }

  /** Withdraw an invitation. */
  withdrawInvitation(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/invitations/${encodeURIComponent(uuid)}` })
  }

  /** Get the settings of the person of the token. */
  getMe(): Promise<Person> {
    return this.json({ method: 'GET', path: '/me' })
  }

  /** Change the settings of the person of the token. */
  patchMe(
    body: PersonChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Person> {
    return this.json({ method: 'PATCH', path: '/me', body, options })
  }

  /** List the API tokens of the person of the token. */
  listOwnTokens(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Token, void, void> {
    return this.pages({ method: 'GET', path: '/me/tokens', options })
  }

  /** Revoke an API token of the person of the token. */
  revokeOwnToken(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/me/tokens/${encodeURIComponent(uuid)}` })
  }

  /** List the kinds of channels with their fields. */
  listChannelKinds(): Promise<{
    kinds: ChannelKind[]
  }> {
    return this.json({ method: 'GET', path: '/channel-kinds' })
  }

  /** List the channels of the project. */
  listChannels(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Channel, void, void> {
    return this.pages({ method: 'GET', path: '/channels', options })
  }

  /** Create a channel. */
  createChannel(
    body: NewChannel,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Channel> {
    return this.json({ method: 'POST', path: '/channels', body, options })
  }

  /** Get a channel. */
  getChannel(uuid: string): Promise<Channel> {
    return this.json({ method: 'GET', path: `/channels/${encodeURIComponent(uuid)}` })
  }

  /** Change, enable or disable a channel. */
  patchChannel(
    uuid: string,
    body: ChannelChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Channel> {
    return this.json({ method: 'PATCH', path: `/channels/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete a channel and its log. */
  deleteChannel(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/channels/${encodeURIComponent(uuid)}`, options })
  }

  /** List the checks that a channel is assigned to. */
  getChannelChecks(uuid: string): Promise<ChannelChecks> {
    return this.json({ method: 'GET', path: `/channels/${encodeURIComponent(uuid)}/checks` })
  }

  /** Assign a channel to checks, and to no others. */
  putChannelChecks(
    uuid: string,
    body: ChannelChecks,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<ChannelChecks> {
    return this.json({ method: 'PUT', path: `/channels/${encodeURIComponent(uuid)}/checks`, body, options })
  }

  /** Send a test through a channel before it is created. */
  testNewChannel(
    body: NewChannel,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<NewChannelTest> {
    return this.json({ method: 'POST', path: '/channels:test', body, options })
  }

  /** Send a test through a channel. */
  testChannel(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<ChannelTest> {
    return this.json({ method: 'POST', path: `/channels/${encodeURIComponent(uuid)}/test`, options })
  }

  /** Ask the owner of an address again to confirm a channel. */
  requestChannelConfirmation(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'POST', path: `/channels/${encodeURIComponent(uuid)}/confirmation`, options })
  }

  /** List the last notifications of a channel. */
  listChannelNotifications(uuid: string): Promise<ChannelNotifications> {
    return this.json({ method: 'GET', path: `/channels/${encodeURIComponent(uuid)}/notifications` })
  }
}
