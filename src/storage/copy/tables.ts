/** The tables in the order of copying, referenced ones first, each with the columns of its primary key. */
export const COPIED_TABLES: readonly { name: string; key: readonly string[] }[] = [
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
  { name: 'rate_limits', key: ['key'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'channels', key: ['id'] },
  { name: 'group_members', key: ['group_id', 'member_id'] },
  { name: 'checks', key: ['id'] },
  { name: 'check_details', key: ['check_id'] },
  { name: 'check_channels', key: ['check_id', 'channel_id'] },
  { name: 'flips', key: ['id'] },
  { name: 'passed_deadlines', key: ['id'] },
  { name: 'deliveries', key: ['id'] },
  { name: 'notifications', key: ['id'] },
  { name: 'flapping', key: ['check_id', 'channel_id'] },
  { name: 'reported', key: ['check_id', 'channel_id'] },
  { name: 'quotas', key: ['account', 'name'] },
  { name: 'outages', key: ['id'] },
  { name: 'pings', key: ['id'] },
  { name: 'uploads', key: ['key'] },
  { name: 'removals', key: ['id'] },
]

/** Small tables that change with time; they are copied at the end. */
export const COPIED_LAST = ['beats', 'last_ids', 'meta'] as const
