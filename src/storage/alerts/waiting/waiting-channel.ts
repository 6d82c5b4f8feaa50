import type { SentCounts } from '../../../core/alerts/delivery/allowance.js'
import type { Failing } from '../../../core/alerts/delivery/unreachable.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'

/** A channel, as the plan of its messages needs it. */
export interface WaitingChannel {
  id: number
  uuid: string
  projectId: number
  kind: string
  name: string
  settings: Record<string, string>
  disabled: boolean
  /** False until the owner of its address has agreed. */
  confirmed: boolean
  /** Since when the channel is unreachable (ms), or null. */
  unreachableAt: number | null
  /** When an unreachable channel is tried next (ms). */
  probeAt: number | null
  failing: Failing
  /** Since when each attempt that was refused was so because the recipient does not exist (ms), or null. */
  unknownSince: number | null
  /** When the newest message that bounced was sent, and for how long all that was sent has bounced (ms). */
  bounced: { at: number | null; ms: number }
  /** How often it was enabled, confirmed or changed. */
  enablings: number
  linkVersion: number
  sent: SentCounts
}

/**
 * The channel, locked until the transaction ends, so that two processes never plan for it at
 * once; null if it was deleted.
 */
export async function lockChannel(db: Db, id: number): Promise<WaitingChannel | null> {
  return (await lockChannels(db, [id])).get(id) ?? null
}

/** Locks several channels, by their IDs, always in the same order, so that two processes cannot deadlock. */
export async function lockChannels(db: Db, ids: readonly number[]): Promise<Map<number, WaitingChannel>> {
  const items = ids.toSorted((a, b) => a - b).map(id => ({ id }))
  const rows = await (db.dialect.hasConcurrentWrites ? lockedChannels : channelsWith)(db, {}, items)
  return new Map(rows.map(row => [row.id, toWaitingChannel(row)]))
}

function toWaitingChannel(row: Awaited<ReturnType<typeof channelsWith>>[number]): WaitingChannel {
  return {
    id: row.id,
    uuid: row.uuid,
    projectId: row.project_id,
    kind: row.kind,
    name: row.name,
    settings: JSON.parse(row.settings),
    disabled: row.disabled === 1,
    confirmed: row.confirmed === 1,
    unreachableAt: row.unreachable_at,
    probeAt: row.probe_at,
    failing: {
      failingMs: row.failing_ms,
      lastFailureAt:
        row.last_notify === null || row.last_error === '' ? null : row.last_notify + (row.last_duration ?? 0),
    },
    unknownSince: row.unknown_since,
    bounced: { at: row.bounced_at, ms: row.bounced_ms },
    enablings: row.enablings,
    linkVersion: row.link_version,
    sent: {
      minute: { from: row.minute_from, down: row.minute_down, other: row.minute_other },
      hour: { from: row.hour_from, down: row.hour_down, other: row.hour_other },
    },
  }
}

const CHANNEL_COLUMNS = [
  'id',
  'uuid',
  'project_id',
  'kind',
  'name',
  'settings',
  'disabled',
  'confirmed',
  'unreachable_at',
  'probe_at',
  'failing_ms',
  'unknown_since',
  'bounced_at',
  'bounced_ms',
  'enablings',
  'link_version',
  'last_notify',
  'last_duration',
  'last_error',
  'minute_from',
  'minute_down',
  'minute_other',
  'hour_from',
  'hour_down',
  'hour_other',
] as const

const idsOf = (items: { id: number }[]) => items.map(({ id }) => id)

const channelsWith = preparedList((sql, _: Record<never, never>, items: { id: number }[]) =>
  sql.selectFrom('channels').select(CHANNEL_COLUMNS).where('id', 'in', idsOf(items)),
)

const lockedChannels = preparedList((sql, _: Record<never, never>, items: { id: number }[]) =>
  sql
    .selectFrom('channels')
    .select(CHANNEL_COLUMNS)
    .where('id', 'in', idsOf(items))
    .orderBy('id')
    .forNoKeyUpdate(),
)
