import { createHash } from 'node:crypto'
import { countStates, type StateCounts, troubleOf } from '../../core/checks/check-list.js'
import { isRunning, statusAt } from '../../core/checks/status.js'
import type { Db } from '../db.js'
import { acknowledgedChecks } from '../incidents/acknowledged.js'
import { currentHold } from '../instance/outages.js'
import { read } from '../method.js'
import { prepared, preparedList } from '../prepared.js'
import { shownState } from './list/list-items.js'
import { FAILING_COLUMNS, isFailing, STATUS_COLUMNS, selectChecks, toCheck } from './rows/check-rows.js'
import { leavingChecks } from './undos.js'

/**
 * A text for each of these checks that changes whenever anything about the check does, including its settings.
 * Deleted checks have none.
 */
export const fingerprints = read(
  async (
    db: Db,
    projectIds: number | readonly number[],
    uuids: readonly string[],
    now: number,
  ): Promise<Record<string, string>> => {
    return await fingerprintsOf(
      db,
      { projectIds: typeof projectIds === 'number' ? [projectIds] : projectIds, uuids },
      now,
    )
  },
)

type Asked = { ids: readonly number[] } | { projectIds: readonly number[]; uuids: readonly string[] }

/** The same for checks by ID, with their trouble as its first word, or by UUID in these projects. */
export async function fingerprintsOf(db: Db, asked: Asked, now: number): Promise<Record<string, string>> {
  const hold = await currentHold(db, now)
  const found: Record<string, string> = {}
  const rows =
    'ids' in asked
      ? await byId.arrays(
          db,
          {},
          asked.ids.map(id => ({ id })),
        )
      : await byUuid.arrays(
          db,
          {},
          asked.uuids.map(uuid => ({ uuid })),
        )
  const checks = rows.map(toCheck)
  const isAsked = 'ids' in asked ? () => true : (id: number) => asked.projectIds.includes(id)
  const channels = await linkedChannels(db, checks)
  const down = checks.flatMap(({ id, status }) => (status === 'down' ? [id] : []))
  const acknowledged = await acknowledgedChecks(db, down, now)
  for (const [index, check] of checks.entries()) {
    if (!isAsked(check.projectId)) continue
    const shown = shownState(check, now, hold)
    const text = JSON.stringify([shown, channels.get(check.id), acknowledged.get(check.id), rows[index]])
    found[check.uuid] = `${troubleOf(shown)} ${createHash('sha1').update(text).digest('base64url')}`
  }
  return found
}

const byId = preparedList((sql, _: Record<string, never>, items: { id: number }[]) =>
  selectChecks(sql).where(
    'c.id',
    'in',
    items.map(({ id }) => id),
  ),
)

const byUuid = preparedList((sql, _: Record<string, never>, items: { uuid: string }[]) =>
  selectChecks(sql).where(
    'c.uuid',
    'in',
    items.map(({ uuid }) => uuid),
  ),
)

/** The IDs of the channels of each check, as a text. */
async function linkedChannels(db: Db, checks: readonly { id: number }[]): Promise<Map<number, string>> {
  const links = new Map<number, string>()
  const items = checks.map(({ id }) => ({ id }))
  for (const { check_id: id, channel_id: channel } of await linksOfChecks(db, {}, items))
    links.set(id, `${links.get(id) ?? ''} ${channel}`)
  return links
}

const linksOfChecks = preparedList((sql, _: Record<string, never>, items: { id: number }[]) =>
  sql
    .selectFrom('check_channels')
    .select(['check_id', 'channel_id'])
    .where(
      'check_id',
      'in',
      items.map(({ id }) => id),
    )
    .orderBy('channel_id'),
)

/** The number of the checks of a project, or of several, in each state at `now`, without those about to be deleted. */
export const stateCounts = read(
  async (db: Db, projectIds: number | readonly number[], now: number): Promise<StateCounts> => {
    const ids = typeof projectIds === 'number' ? [projectIds] : projectIds
    if (ids.length === 0) return countStates([])
    const hold = await currentHold(db, now)
    const leaving = await leavingChecks(db, ids)
    const rows = await db.sql
      .selectFrom('checks as c')
      .select([...STATUS_COLUMNS, ...FAILING_COLUMNS])
      .$if(leaving.size > 0, query => query.select('c.uuid'))
      .where('c.project_id', 'in', ids)
      .execute()
    const staying = leaving.size === 0 ? rows : rows.filter(({ uuid }) => !leaving.has(uuid!))
    return countStates(
      staying.map(row => {
        const status = statusAt(row, now, hold)
        return { status, running: isRunning(row, now, hold), failing: isFailing(row, status) }
      }),
    )
  },
)

/** A text that changes whenever something happens to a check or is sent about it; null if it was deleted. */
export const eventFingerprint = read(
  async (db: Db, projectId: number, uuid: string, now: number): Promise<string | null> => {
    const stamp = (await fingerprints(db, projectId, [uuid], now))[uuid]
    if (stamp === undefined) return null
    const [last] = await lastNotification.all(db, { uuid })
    const settings = await channelsOfProject.all(db, { projectId })
    const [incident] = await lastIncident.all(db, { uuid })
    return JSON.stringify([stamp, last, settings, incident])
  },
)

const lastNotification = prepared((sql, value: { uuid: string }) =>
  sql
    .selectFrom('notifications as n')
    .innerJoin('checks as c', 'c.id', 'n.check_id')
    .select(['n.id', 'n.error'])
    .where('c.uuid', '=', value.uuid)
    .orderBy('n.id', 'desc')
    .limit(1),
)

const channelsOfProject = prepared((sql, value: { projectId: number }) =>
  sql
    .selectFrom('channels')
    .select(['id', 'name', 'disabled'])
    .where('project_id', '=', value.projectId)
    .orderBy('id'),
)

const lastIncident = prepared((sql, value: { uuid: string }) =>
  sql
    .selectFrom('incidents as i')
    .innerJoin('checks as c', 'c.id', 'i.check_id')
    .select(['i.id', 'i.closed_at', 'i.ack_at', 'i.ack_until'])
    .where('c.uuid', '=', value.uuid)
    .orderBy('i.id', 'desc')
    .limit(1),
)
