/**
 * The tables of Healthchecks' database (versions 3 and 4), and what becomes of each column. Tests demand that no column
 * of a real database is missing here.
 */

/**
 * How a value comes from both engines: `instant` in microseconds UTC, `duration` in microseconds, `uuid` in its usual
 * form, `flag` as a boolean, `bytes` as a `Uint8Array`.
 */
export type ColumnType = 'instant' | 'duration' | 'uuid' | 'flag' | 'int' | 'text' | 'bytes'

export type ColumnFate =
  | { type: ColumnType; fate: 'carried' }
  /** What is made from it, or why we have it already in another form. */
  | { type: ColumnType; fate: 'derived'; how: string }
  | { type: ColumnType; fate: 'dropped'; why: string }

const carried = <T extends ColumnType>(type: T) => ({ type, fate: 'carried' }) as const
const derived = <T extends ColumnType>(type: T, how: string) => ({ type, fate: 'derived', how }) as const
const dropped = <T extends ColumnType>(type: T, why: string) => ({ type, fate: 'dropped', why }) as const

const ID = derived('int', 'rows get IDs of their own; nothing outside the database names them')
const LIMIT = 'limits of accounts are settings of the operator: CHECK_LIMIT, PING_LOG_LIMIT and quotas'
const QUOTA = 'monthly quotas begin anew'
const OPERATOR = 'operators use the command line; there are no accounts with special rights'
const HOSTED = 'only the hosted service has it'

export const SOURCE_TABLES = {
  auth_user: {
    id: ID,
    email: carried('text'),
    password: derived('text', 'verified at the next sign-in, and then stored as our own hash'),
    username: derived('text', 'names the person in old unsubscribe links'),
    is_active: derived('flag', 'an inactive person is disabled'),
    date_joined: carried('instant'),
    last_login: derived('instant', 'null tells an invitation that was not used yet'),
    is_superuser: dropped('flag', OPERATOR),
    is_staff: dropped('flag', OPERATOR),
    first_name: dropped('text', 'Healthchecks does not use it'),
    last_name: dropped('text', 'Healthchecks does not use it'),
  },
  accounts_profile: {
    id: ID,
    user_id: carried('int'),
    reports: carried('text'),
    next_report_date: carried('instant'),
    nag_period: carried('duration'),
    next_nag_date: carried('instant'),
    tz: carried('text'),
    theme: carried('text'),
    totp: derived('text', 'encrypted with SECRET_KEY'),
    totp_created: dropped('instant', 'not shown'),
    token: dropped('text', 'a link under way, also that of an invitation: ask for a new one'),
    sort: dropped('text', 'the order of lists is kept in the browser'),
    ping_log_limit: dropped('int', LIMIT),
    check_limit: dropped('int', LIMIT),
    team_limit: dropped('int', LIMIT),
    sms_limit: dropped('int', LIMIT),
    call_limit: dropped('int', LIMIT),
    sms_sent: dropped('int', QUOTA),
    calls_sent: dropped('int', QUOTA),
    last_sms_date: dropped('instant', QUOTA),
    last_call_date: dropped('instant', QUOTA),
    last_active_date: dropped('instant', HOSTED),
    deletion_notice_date: dropped('instant', HOSTED),
    deletion_scheduled_date: dropped('instant', HOSTED),
    over_limit_date: dropped('instant', HOSTED),
  },
  accounts_credential: {
    id: ID,
    code: carried('uuid'),
    name: carried('text'),
    created: carried('instant'),
    data: derived('bytes', 'the ID and the public key of the passkey'),
    user_id: carried('int'),
  },
  accounts_project: {
    id: ID,
    code: carried('uuid'),
    name: carried('text'),
    owner_id: carried('int'),
    badge_key: carried('text'),
    ping_key: carried('text'),
    api_key: derived(
      'text',
      'its digest, under our algorithm or, with the old SECRET_KEY, under the old one',
    ),
    api_key_readonly: derived('text', 'as api_key'),
    show_slugs: dropped('flag', 'pages show both forms of a ping URL'),
  },
  accounts_member: {
    id: ID,
    user_id: carried('int'),
    project_id: carried('int'),
    role: carried('text'),
    transfer_request_date: dropped('instant', 'an offer of a project under way: offer it again'),
  },
  api_check: {
    id: ID,
    project_id: carried('int'),
    code: carried('uuid'),
    badge_key: carried('uuid'),
    name: carried('text'),
    slug: carried('text'),
    tags: carried('text'),
    desc: carried('text'),
    kind: carried('text'),
    timeout: carried('duration'),
    grace: carried('duration'),
    schedule: carried('text'),
    tz: carried('text'),
    methods: carried('text'),
    manual_resume: carried('flag'),
    filter_subject: carried('flag'),
    filter_body: carried('flag'),
    filter_http_body: carried('flag'),
    filter_default_fail: carried('flag'),
    start_kw: carried('text'),
    success_kw: carried('text'),
    failure_kw: carried('text'),
    created: carried('instant'),
    status: carried('text'),
    n_pings: carried('int'),
    last_ping: carried('instant'),
    last_start: carried('instant'),
    last_start_rid: carried('uuid'),
    last_duration: carried('duration'),
    alert_after: derived('instant', 'computed anew from the schedule and the last ping'),
    has_confirmation_link: carried('flag'),
  },
  api_channel: {
    id: ID,
    project_id: carried('int'),
    code: carried('uuid'),
    name: carried('text'),
    kind: carried('text'),
    value: derived('text', 'the settings of the channel'),
    created: carried('instant'),
    email_verified: carried('flag'),
    disabled: carried('flag'),
    last_notify: carried('instant'),
    last_notify_duration: carried('duration'),
    last_error: carried('text'),
  },
  api_channel_checks: {
    id: ID,
    channel_id: carried('int'),
    check_id: carried('int'),
  },
  api_ping: {
    id: ID,
    owner_id: carried('int'),
    n: carried('int'),
    created: carried('instant'),
    kind: carried('text'),
    scheme: carried('text'),
    method: carried('text'),
    remote_addr: carried('text'),
    ua: carried('text'),
    rid: carried('uuid'),
    exitstatus: carried('int'),
    body_raw: carried('bytes'),
    object_size: carried('int'),
  },
  api_flip: {
    id: ID,
    owner_id: carried('int'),
    created: carried('instant'),
    old_status: carried('text'),
    new_status: carried('text'),
    reason: carried('text'),
    processed: dropped(
      'instant',
      'alerts that waited at the time of the copy are not sent; their checks have their status',
    ),
  },
  api_notification: {
    id: ID,
    code: carried('uuid'),
    channel_id: carried('int'),
    owner_id: carried('int'),
    check_status: carried('text'),
    created: carried('instant'),
    error: carried('text'),
  },
} as const satisfies Record<string, Record<string, ColumnFate>>

/** The tables that are not read, and why. */
export const UNREAD_TABLES: Readonly<Record<string, string>> = {
  api_tokenbucket: 'limits of attempts begin anew',
  auth_group: OPERATOR,
  auth_group_permissions: OPERATOR,
  auth_permission: OPERATOR,
  auth_user_groups: OPERATOR,
  auth_user_user_permissions: OPERATOR,
  django_admin_log: 'the log of Django’s own administration',
  django_content_type: 'bookkeeping of Django',
  django_migrations: 'bookkeeping of Django',
  django_session: 'not carried over, everyone signs in again; their signatures prove the SECRET_KEY',
  logs_record: 'the log of the Healthchecks program',
  payments_subscription: HOSTED,
  sqlite_sequence: 'bookkeeping of SQLite',
}

export type SourceTable = keyof typeof SOURCE_TABLES

type ValueOf<T extends ColumnType> = {
  instant: number
  duration: number
  uuid: string
  flag: boolean
  int: number
  text: string
  bytes: Uint8Array
}[T]

type Fates<T extends SourceTable> = (typeof SOURCE_TABLES)[T]

/** A row of the source. A column that its version does not have is null, as is one that may be. */
export type SourceRow<T extends SourceTable> = {
  [C in keyof Fates<T>]: Fates<T>[C] extends { type: infer K extends ColumnType } ? ValueOf<K> | null : never
}

/** Every dropped column with the reason, in the order of the tables. */
export function droppedColumns(): { column: string; why: string }[] {
  return Object.entries(SOURCE_TABLES).flatMap(([table, columns]) =>
    Object.entries(columns as Record<string, ColumnFate>).flatMap(([column, fate]) =>
      fate.fate === 'dropped' ? [{ column: `${table}.${column}`, why: fate.why }] : [],
    ),
  )
}
