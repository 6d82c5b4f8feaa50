import { DISTRIBUTED } from '../postgres/citus/layout.js'
import { LOG_MOVED_DOWN_TO, MOVE_NOTICE, REMOVED_CONSTRAINTS } from '../postgres/citus/notes.js'

/** A table, and the columns of a key in whose order it is copied and compared. */
export interface KeyedTable {
  name: string
  key: readonly string[]
}

/** The tables in the order of copying, referenced ones first, each with the columns of its primary key. */
export const COPIED_TABLES: readonly KeyedTable[] = [
  { name: 'users', key: ['id'] },
  { name: 'projects', key: ['id'] },
  { name: 'members', key: ['project_id', 'user_id'] },
  { name: 'invitations', key: ['id'] },
  { name: 'passkeys', key: ['id'] },
  { name: 'recovery_codes', key: ['user_id', 'digest'] },
  { name: 'identities', key: ['issuer', 'subject'] },
  { name: 'sessions', key: ['id'] },
  { name: 'tokens', key: ['digest'] },
  { name: 'mails', key: ['id'] },
  { name: 'mail_projects', key: ['mail_id', 'project_id'] },
  { name: 'rate_limits', key: ['key'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'api_tokens', key: ['id'] },
  { name: 'api_requests', key: ['caller', 'key'] },
  { name: 'channels', key: ['id'] },
  { name: 'group_members', key: ['group_id', 'member_id'] },
  { name: 'checks', key: ['id'] },
  { name: 'check_details', key: ['check_id'] },
  { name: 'check_channels', key: ['check_id', 'channel_id'] },
  { name: 'check_parents', key: ['check_id', 'parent_id'] },
  { name: 'push_tokens', key: ['token'] },
  { name: 'policies', key: ['id'] },
  { name: 'silences', key: ['id'] },
  { name: 'config_objects', key: ['project_id', 'section', 'key'] },
  { name: 'incidents', key: ['id'] },
  { name: 'incident_events', key: ['id'] },
  { name: 'incident_channels', key: ['incident_id', 'channel_id'] },
  { name: 'follow_ups', key: ['project_id', 'kind', 'subject'] },
  { name: 'undos', key: ['uuid'] },
  { name: 'events', key: ['id'] },
  { name: 'event_webhooks', key: ['id'] },
  { name: 'event_attempts', key: ['id'] },
  { name: 'flips', key: ['id'] },
  { name: 'passed_deadlines', key: ['id'] },
  { name: 'deliveries', key: ['id'] },
  { name: 'notifications', key: ['id'] },
  { name: 'flapping', key: ['check_id', 'channel_id'] },
  { name: 'reported', key: ['check_id', 'channel_id'] },
  { name: 'quotas', key: ['account', 'name'] },
  { name: 'counted_messages', key: ['charged'] },
  { name: 'outages', key: ['id'] },
  { name: 'pings', key: ['id'] },
  { name: 'uploads', key: ['key'] },
  { name: 'removals', key: ['id'] },
  { name: 'imported', key: ['digest'] },
]

/** The tables in an order of rows in which Citus has an index. */
export const TABLES_BY_CHECK: readonly KeyedTable[] = COPIED_TABLES.map(table =>
  DISTRIBUTED.some(({ name, column }) => name === table.name && column === 'check_id') &&
  table.key[0] === 'id'
    ? { name: table.name, key: ['check_id', 'id'] }
    : table,
)

/** Small tables that change with time; they are copied at the end. */
export const COPIED_LAST = ['beats', 'last_ids', 'meta'] as const

/** The rows of `meta` that belong to the server rather than to the data. */
export const NOT_COPIED_META = [REMOVED_CONSTRAINTS, LOG_MOVED_DOWN_TO, MOVE_NOTICE]
