// Written by `npm run docs` from the OpenAPI document of Punctual's own API.
import type { Incident, IncidentEntry } from './incidents.js'
import type { Problem } from './problem.js'

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
  /** What holds its down alerts now. `until`: its end, or when it is looked at again. Of many silences or dependencies those that hold them longest: ten, or fewer if the check has more than a hundred channels. */
  holds: {
    reason: 'silence' | 'dependency'
    name: string
    until: string
  }[]
}
