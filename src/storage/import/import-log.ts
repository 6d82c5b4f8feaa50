/** Imports pings and notifications in the order of their IDs; how far it came is stored with each transaction. */
import { mapPing } from '../../core/import/map-log.js'
import { milliseconds } from '../../core/import/map-people.js'
import type { SourceRow } from '../../core/import/source-schema.js'
import { chunks } from '../chunks.js'
import type { Side } from '../copy/side.js'
import { type Import, inTransaction } from './context.js'
import { type Progress, saveProgress } from './progress.js'

/** Rows in a transaction, which also limits what is in memory: a body may have 100 kB. */
const SLICE = 1_000

const PING_COLUMNS = 16

export async function importPings(
  job: Import,
  progress: Progress,
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0
  await inSlices(job, progress, 'api_ping', 'pings', async (side, rows) => {
    const pings = rows.flatMap(row => {
      const checkId = job.ids.checks.get(row.owner_id!)
      const ping = checkId === undefined ? null : mapPing(row)
      if (!ping) job.report.add('pings left out: their check is gone, or they have no number')
      return ping
        ? {
            check_id: checkId!,
            n: ping.n,
            created_at: ping.at,
            created_us: ping.us,
            kind: ping.action,
            scheme: ping.scheme,
            remote_addr: ping.remoteAddr,
            method: ping.method,
            ua: ping.ua,
            rid: ping.rid,
            exit_status: ping.exitStatus,
            body: ping.body,
            object_size: ping.objectSize,
          }
        : []
    })
    const added = progress.complete ? await withoutKnown(side, pings) : pings
    for (const some of chunks(added, Math.floor(side.maxParameters / PING_COLUMNS))) {
      await side.sql.insertInto('pings').values(some).execute()
    }
    if (added.length > 0) job.report.add('pings', added.length)
    const taken = pings.length - added.length
    if (taken > 0) job.report.add('pings left out: a ping here has their number', taken)
    done += rows.length
    onProgress(done)
  })
}

/** Since an earlier import, the server may have recorded pings with the same numbers. */
async function withoutKnown<Ping extends { check_id: number; n: number }>(
  side: Side,
  pings: Ping[],
): Promise<Ping[]> {
  if (pings.length === 0) return []
  const rows = await side.sql
    .selectFrom('pings')
    .select(['check_id', 'n'])
    .where('check_id', 'in', [...new Set(pings.map(ping => ping.check_id))])
    .where('n', '>=', Math.min(...pings.map(({ n }) => n)))
    .execute()
  const known = new Set(rows.map(({ check_id, n }) => `${check_id} ${n}`))
  return pings.filter(({ check_id, n }) => !known.has(`${check_id} ${n}`))
}

export async function importNotifications(job: Import, progress: Progress): Promise<void> {
  await inSlices(job, progress, 'api_notification', 'notifications', async (side, rows) => {
    const values = rows.flatMap(row => {
      const channelId = job.ids.channels.get(row.channel_id!)
      const checkId = row.owner_id === null ? null : job.ids.checks.get(row.owner_id)
      if (channelId === undefined || checkId === undefined) {
        job.report.add('notifications left out: their channel was not carried over')
        return []
      }
      return {
        uuid: row.code!,
        channel_id: channelId,
        check_id: checkId,
        check_status: row.check_status ?? '',
        attempt: 1,
        created_at: milliseconds(row.created) ?? 0,
        error: row.error ?? '',
        delivery_uuid: null,
        flip_id: null,
        duration: null,
      }
    })
    let added = 0
    for (const some of chunks(values, Math.floor(side.maxParameters / 10))) {
      const rows = await side.sql
        .insertInto('notifications')
        .values(some)
        .onConflict(oc => oc.column('uuid').doNothing())
        .returning('id')
        .execute()
      added += rows.length
    }
    if (added > 0) job.report.add('notifications', added)
  })
}

async function inSlices<T extends 'api_ping' | 'api_notification'>(
  { source, target }: Import,
  progress: Progress,
  table: T,
  mark: 'pings' | 'notifications',
  write: (side: Side, rows: SourceRow<T>[]) => Promise<void>,
): Promise<void> {
  if (!target) return
  for (;;) {
    const rows = await source.page(table, progress[mark], SLICE)
    if (rows.length === 0) return
    await inTransaction(target, async () => {
      await saveProgress(target, progress, { [mark]: (rows.at(-1) as { id: number }).id })
      await write(target, rows)
    })
  }
}
