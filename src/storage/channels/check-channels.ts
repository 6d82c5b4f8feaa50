/** The links between checks and channels. */

import { sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import { appendTo } from '../../lib/append-to.js'
import { endTargets, withMembers } from '../alerts/links/end-targets.js'
import { oweAgain } from '../alerts/links/owe-again.js'
import { restoreLinks } from '../alerts/links/restore-links.js'
import { ownChecks } from '../checks/bulk-edit/check-names.js'
import { type KeptPart, keepPart } from '../checks/bulk-edit/keep-batch.js'
import { findCheck } from '../checks/find-check.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { announcedWrite, longRead, readWithoutSnapshot } from '../method.js'
import { prepared, preparedList } from '../prepared.js'
import { recordLinks } from './record-links.js'

/** The UUIDs of a check's channels. */
export const ofCheck = readWithoutSnapshot(async (db: Db, checkId: number): Promise<string[]> => {
  const rows = await uuidsOf.arrays(db, { checkId })
  return rows.map(([uuid]) => uuid as string)
})

const uuidsOf = prepared((sql, value: { checkId: number }) =>
  sql
    .selectFrom('check_channels as cc')
    .innerJoin('channels as ch', 'ch.id', 'cc.channel_id')
    .select('ch.uuid')
    .where('cc.check_id', '=', value.checkId),
)

/** The UUIDs of the checks of a project that a channel is linked to, in the order in which they were made. */
export const checksOf = longRead(async (db: Db, projectId: number, channelId: number): Promise<string[]> => {
  const rows = await checksOfChannel.arrays(db, { projectId, channelId })
  return rows.map(([uuid]) => uuid as string)
})

const checksOfChannel = prepared((sql, value: { projectId: number; channelId: number }) =>
  sql
    .selectFrom('check_channels as cc')
    .innerJoin('checks as c', 'c.id', 'cc.check_id')
    .select('c.uuid')
    .where('cc.channel_id', '=', value.channelId)
    .where('c.project_id', '=', value.projectId)
    .orderBy('c.id'),
)

/**
 * A column with the UUIDs of a check's channels, separated by commas; null without channels. `checkId`: the
 * column of the check's ID.
 */
export function channelUuids(checkId: string) {
  return sql<string | null>`(
    SELECT string_agg(ch.uuid, ',') FROM check_channels cc JOIN channels ch ON ch.id = cc.channel_id
    WHERE cc.check_id = ${sql.ref(checkId)}
  )`.as('channels')
}

/** The UUIDs of the channels of a project's checks, by check; `checks`: roughly how many there are, if it is known. */
export async function channelsByCheck(db: Db, projectId: number, checks = 0): Promise<Map<number, string[]>> {
  const channels = new Map<number, string[]>()
  await ofProject.each(db, { projectId }, checks, row => {
    const [checkId, uuid] = row as [number, string]
    appendTo(channels, checkId, uuid)
  })
  return channels
}

/** The same of some checks. */
export async function channelsOfChecks(db: Db, checkIds: readonly number[]): Promise<Map<number, string[]>> {
  const items = checkIds.map(checkId => ({ checkId }))
  const channels = new Map<number, string[]>()
  for (const row of await ofChecks.arrays(db, {}, items)) {
    const [checkId, uuid] = row as [number, string]
    appendTo(channels, checkId, uuid)
  }
  return channels
}

/** How many channels each check of a project is linked to, by UUID; those with none are left out. */
export const linkCounts = longRead(async (db: Db, projectId: number): Promise<Map<string, number>> => {
  const rows = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_channels as cc', 'cc.check_id', 'c.id')
    .select(['c.uuid', eb => eb.fn.countAll<number>().as('links')])
    .where('c.project_id', '=', projectId)
    .groupBy(['c.id', 'c.uuid'])
    .execute()
  return new Map(rows.map(({ uuid, links }) => [uuid, Number(links)]))
})

const ofProject = prepared((sql, value: { projectId: number }) =>
  sql
    .selectFrom('channels as ch')
    .innerJoin('check_channels as cc', 'cc.channel_id', 'ch.id')
    .select(['cc.check_id', 'ch.uuid'])
    .where('ch.project_id', '=', value.projectId),
)

const ofChecks = preparedList((sql, _value: Record<never, never>, items: { checkId: number }[]) =>
  sql
    .selectFrom('check_channels as cc')
    .innerJoin('channels as ch', 'ch.id', 'cc.channel_id')
    .select(['cc.check_id', 'ch.uuid'])
    .where(
      'cc.check_id',
      'in',
      items.map(({ checkId }) => checkId),
    ),
)

/**
 * Links a check to `channelIds`, and to no other channels. Returns whether something may have
 * to be sent because of it.
 */
export async function setChannels(
  db: Db,
  checkId: number,
  channelIds: readonly number[],
  now: number,
): Promise<boolean> {
  await db.sql.deleteFrom('check_channels').where('check_id', '=', checkId).execute()
  for (const some of chunks(channelIds, Math.floor(db.dialect.maxParameters / 2))) {
    await db.sql
      .insertInto('check_channels')
      .values(some.map(channelId => ({ check_id: checkId, channel_id: channelId })))
      .execute()
  }
  const ends = await endTargets(db, { checkIds: [checkId] }, 'unlinked', now)
  return (await oweAgain(db, [checkId], now)) || ends
}

/**
 * Links a check to a channel of its project, or removes the link. `undoableUntil`: what is sent about a removed link waits until
 * then. Throws a `Refusal` if either is not in the project. `changed`: whether it was not so already.
 */
export const switchForCheck = announcedWrite(
  async (
    db: Db,
    projectId: number,
    names: { check: string; channel: string },
    on: boolean,
    now: number,
    undoableUntil = now,
  ): Promise<{ changed: boolean; alerts: boolean }> => {
    const { id } = await findCheck(db, projectId, { uuid: names.check })
    const channel = { id: await channelId(db, projectId, names.channel) }
    const link = { projectId, channel: names.channel }
    if (on) {
      const { numInsertedOrUpdatedRows } = await db.sql
        .insertInto('check_channels')
        .values({ check_id: id, channel_id: channel.id })
        .onConflict(oc => oc.columns(['check_id', 'channel_id']).doNothing())
        .executeTakeFirst()
      const changed = Number(numInsertedOrUpdatedRows) > 0
      if (!changed) return { changed, alerts: false }
      await recordLinks(db, link, { added: [id], removed: [] }, now)
      return { changed, alerts: await oweAgain(db, [id], now) }
    }
    const { numDeletedRows } = await db.sql
      .deleteFrom('check_channels')
      .where('check_id', '=', id)
      .where('channel_id', '=', channel.id)
      .executeTakeFirst()
    const alerts = await endTargets(db, { checkIds: [id] }, 'unlinked', now, undoableUntil)
    const changed = Number(numDeletedRows) > 0
    if (changed) await recordLinks(db, link, { added: [], removed: [id] }, now)
    return { changed, alerts }
  },
)

/**
 * Links a project's checks, by UUID, to a channel, or removes the links; unknown UUIDs are ignored. Returns those
 * that changed, and whether deliveries are due. `undoableUntil`: as in {@link switchForCheck}. `part`: what it is a part of, to be
 * undone with it; absent: it cannot be undone. Throws a `Refusal` if the channel is not in the project.
 */
export const switchForChecks = announcedWrite(
  async (
    db: Db,
    projectId: number,
    names: { checks: readonly string[]; channel: string },
    on: boolean,
    now: number,
    undoableUntil = now,
    part?: KeptPart,
  ): Promise<{ changed: string[]; alerts: boolean }> => {
    const channel = await channelId(db, projectId, names.channel)
    const changed: string[] = []
    const removed: number[] = []
    let alerts = false
    const own = await ownChecks(db, projectId, names.checks)
    const named = new Map(own.map(({ id, uuid }) => [id, uuid]))
    for (const some of chunks([...named.keys()], db.dialect.maxParameters - 3)) {
      const rows = on
        ? await db.sql
            .insertInto('check_channels')
            .columns(['check_id', 'channel_id'])
            .expression(eb =>
              eb
                .selectFrom('checks')
                .select(s => ['checks.id as check_id', s.lit(channel).as('channel_id')])
                .where('id', 'in', some)
                // One may have moved away just now.
                .where('project_id', '=', projectId),
            )
            .onConflict(oc => oc.columns(['check_id', 'channel_id']).doNothing())
            .returning('check_id')
            .execute()
        : await db.sql
            .deleteFrom('check_channels')
            .where('channel_id', '=', channel)
            .where('check_id', 'in', some)
            .returning('check_id')
            .execute()
      changed.push(...rows.map(row => named.get(row.check_id)!))
      const ids = rows.map(row => row.check_id)
      const changes = on ? { added: ids, removed: [] } : { added: [], removed: ids }
      await recordLinks(db, { projectId, channel: names.channel }, changes, now)
      if (!on) removed.push(...ids)
      else if (await oweAgain(db, ids, now)) alerts = true
    }
    if (removed.length > 0)
      alerts = await endTargets(db, { checkIds: removed }, 'unlinked', now, undoableUntil)
    const steps = changed.map(check => ({ did: 'channel' as const, check, channel: names.channel, on }))
    await keepPart(db, { projectId, steps, now }, part)
    return { changed, alerts }
  },
)

/**
 * Links checks to a channel again from which it was removed at `removedAt`, as if it had never been. Throws a `Refusal` as
 * {@link switchForChecks}.
 */
export async function linkAgain(
  db: Db,
  projectId: number,
  names: { checks: readonly string[]; channel: string },
  removedAt: number,
  now: number,
): Promise<{ changed: string[]; alerts: boolean }> {
  const { changed, alerts } = await switchForChecks(db, projectId, names, true, now)
  const channelIds = await withMembers(db, [await channelId(db, projectId, names.channel)])
  const checkIds: number[] = []
  for (const some of chunks(changed, db.dialect.maxParameters)) {
    const rows = await db.sql.selectFrom('checks').select('id').where('uuid', 'in', some).execute()
    checkIds.push(...rows.map(({ id }) => id))
  }
  const restored = await restoreLinks(db, { checkIds, channelIds, removedAt }, now)
  return { changed, alerts: alerts || restored }
}

async function channelId(db: Db, projectId: number, uuid: string): Promise<number> {
  const channel = await db.sql
    .selectFrom('channels')
    .select('id')
    .where('uuid', '=', uuid)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!channel) throw new Refusal('not-found', 'there is no such integration')
  return channel.id
}
