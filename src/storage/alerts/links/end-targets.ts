/**
 * Ends checks for channels that are no longer linked to them: no delivery is owed, and no incident
 * stays open. Decision 0110.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ClosingEnd } from '../../../core/alerts/alert.js'
import { CLOSING_DESCRIPTION, sentDescription } from '../../../core/alerts/sent-description.js'
import { appendTo } from '../../../lib/append-to.js'
import { lockChannelRows } from '../../channels/lock-channels.js'
import { findCheckToSend } from '../../checks/find-check.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { gatheredFirst } from '../../gathered.js'
import { latestIncident } from '../../incidents/latest-incident.js'
import { postpone } from '../deliveries.js'
import { isMuch, keepForChannels } from '../follow-ups/keep.js'
import type { Closing } from '../waiting/waiting-row.js'
import { isTarget } from './targets.js'

/**
 * The checks, or the channels, whose links have changed, or some checks of one channel; `evenLinked`: the incident ends even for
 * channels that are still linked.
 */
export type ChangedLinks =
  | { checkIds: readonly number[]; evenLinked?: boolean }
  | { channelIds: readonly number[] }
  | ChecksOfChannel

interface ChecksOfChannel {
  channelId: number
  checkIds: readonly number[]
}

/**
 * Called after links between checks and channels were removed. For each pair without a link, deletes the waiting
 * deliveries. If the check was, or may have been, reported down, adds one delivery that closes the incident, at kinds
 * of channels that keep one open, or only clears what was reported. As a delivery of the check it waits for those
 * under way, and the next change of the check replaces it. `dueAt`: when all this takes effect, because removing the links can be
 * undone until then; what waits is kept until then. For channels with very much to end a follow-up does it. Returns whether there is
 * one.
 */
export async function endTargets(
  db: Db,
  links: ChangedLinks,
  end: ClosingEnd,
  now: number,
  dueAt = now,
): Promise<boolean> {
  if ('channelIds' in links && dueAt <= now && (await haveMany(db, links.channelIds))) {
    await keepForChannels(db, 'unlinked', links.channelIds)
    return false
  }
  let ended = await endedPairs(db, links)
  if (ended.length === 0) return false
  // Locked so that nobody starts sending what is deleted here.
  const channelIds = ended.map(({ channelId }) => channelId)
  if (await lockChannelRows(db, channelIds, 'plans')) ended = await endedPairs(db, links)
  const byChannel = new Map<number, number[]>()
  for (const { checkId, channelId } of ended) appendTo(byChannel, channelId, checkId)
  for (const [channelId, checkIds] of byChannel) {
    if (dueAt > now) {
      for (const some of chunks(checkIds, db.dialect.maxParameters - 6)) {
        await postpone(db, { checkIds: some, channelIds: [channelId] }, now, dueAt)
      }
      continue
    }
    if (end === 'unlinked') await noteUnlinked(db, channelId, checkIds, now)
    await forget(db, channelId, checkIds)
  }
  return await addClosings(db, ended, end, now, dueAt)
}

const OF_PAIRS = ['deliveries', 'reported', 'flapping'] as const

/** Whether more rows about checks may have to be ended than one transaction should end. */
function haveMany(db: Db, channelIds: readonly number[]): Promise<boolean> {
  return isMuch(db, channelIds, some => {
    const of = (table: string) =>
      sql`SELECT check_id FROM ${sql.table(table)} WHERE channel_id IN (${some}) AND check_id IS NOT NULL`
    return sql.join(OF_PAIRS.map(of), sql` UNION ALL `)
  })
}

/** How many checks of a channel are looked at together. */
const CHECKS_AT_ONCE = 500

/**
 * Ends those of the first checks after `after`, by ID, that are no longer linked to a channel. `next`: after which check to go on; null:
 * these were the last.
 */
export async function endNext(
  db: Db,
  channelId: number,
  after: number,
  now: number,
): Promise<{ next: number | null; alerts: boolean }> {
  const of = (table: string) =>
    sql`SELECT check_id FROM ${sql.table(table)} WHERE channel_id = ${channelId} AND check_id > ${after}`
  const { rows } = await sql<{ id: number }>`
    SELECT check_id AS id FROM (${sql.join(OF_PAIRS.map(of), sql` UNION `)}) pairs
    ORDER BY check_id LIMIT ${sql.lit(CHECKS_AT_ONCE)}`.execute(db.sql)
  const checkIds = rows.map(({ id }) => id)
  const alerts = checkIds.length > 0 && (await endTargets(db, { channelId, checkIds }, 'unlinked', now))
  return { next: checkIds.length < CHECKS_AT_ONCE ? null : checkIds.at(-1)!, alerts }
}

/** The IDs of channels, and of the members of those that are groups, each once. */
export async function withMembers(db: Db, channelIds: readonly number[]): Promise<number[]> {
  const all = new Set(channelIds)
  for (const some of chunks(channelIds, db.dialect.maxParameters)) {
    const members = await db.sql
      .selectFrom('group_members')
      .select('member_id')
      .where('group_id', 'in', some)
      .execute()
    for (const { member_id } of members) all.add(member_id)
  }
  return [...all]
}

interface Pair {
  checkId: number
  channelId: number
  /** 1 if the check was reported down, or may have been, or may be right now. */
  mayKnow: number
  /** 1 if that is because an attempt failed or was aborted. */
  tried: number
  /** The check's latest incident. */
  incidentId: number | null
}

/** The pairs of check and channel with stored rows that are over, except those that a waiting closing covers. */
async function endedPairs(db: Db, links: ChangedLinks): Promise<Pair[]> {
  const unlinked = sql`NOT ${isTarget('p.check_id', 'p.channel_id')}`
  const over = 'evenLinked' in links && links.evenLinked ? sql`1 = 1` : unlinked
  const pairs: Pair[] = []
  const ids = 'checkIds' in links ? links.checkIds : links.channelIds
  for (const some of chunks(ids, Math.floor(db.dialect.maxParameters / 3) - 1)) {
    const ofChecks = sql`check_id IN (${sql.join(some)})`
    const ofChannels = sql`channel_id IN (${sql.join(some)}) AND check_id IS NOT NULL`
    const ofOne = 'channelId' in links && sql`channel_id = ${links.channelId} AND ${ofChecks}`
    pairs.push(...(await pairsWhere(db, ofOne || ('checkIds' in links ? ofChecks : ofChannels), over)))
  }
  return pairs
}

async function pairsWhere(
  db: Db,
  among: ReturnType<typeof sql>,
  over: ReturnType<typeof sql>,
): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    SELECT p.check_id AS "checkId", p.channel_id AS "channelId",
      CASE WHEN r.flip_id IS NOT NULL OR ${waits(sql`d.claimed_by IS NOT NULL OR d.attempts > 0 OR d.missed = 1`)}
        THEN 1 ELSE 0 END AS "mayKnow",
      CASE WHEN ${waits(sql`d.attempts > 0 OR d.missed = 1`)} THEN 1 ELSE 0 END AS tried,
      ${latestIncident('p.check_id')} AS "incidentId"
    FROM (
      SELECT check_id, channel_id FROM deliveries WHERE ${among}
      UNION SELECT check_id, channel_id FROM reported WHERE ${among}
      UNION SELECT check_id, channel_id FROM flapping WHERE ${among}
    ) p
    LEFT JOIN reported r ON r.check_id = p.check_id AND r.channel_id = p.channel_id
    WHERE ${over} AND (
      SELECT d.closing FROM deliveries d WHERE d.channel_id = p.channel_id AND d.check_id = p.check_id
      ORDER BY d.id DESC LIMIT 1
    ) IS NULL
    ORDER BY p.channel_id, p.check_id`.execute(db.sql)
  return rows
}

/** A condition: the pair `p` has a delivery for which `so` is true. */
function waits(so: ReturnType<typeof sql>) {
  return sql`EXISTS (
    SELECT 1 FROM deliveries d WHERE d.channel_id = p.channel_id AND d.check_id = p.check_id AND (${so})
  )`
}

/** Records in their incidents that alerts which waited for a channel are not sent, because it is not linked any more. */
async function noteUnlinked(
  db: Db,
  channelId: number,
  checkIds: readonly number[],
  now: number,
): Promise<void> {
  for (const some of chunks(checkIds, db.dialect.maxParameters - 4)) {
    await sql`
      ${gatheredFirst(db, ['flips'], some)}
      INSERT INTO incident_events (incident_id, created_at, kind, channel_id, reason, text)
      SELECT DISTINCT d.incident_id, ${sql.lit(now)}, 'dropped', d.channel_id, 'unlinked', f.new_status
      FROM deliveries d JOIN flips f ON f.id = d.flip_id
      WHERE d.channel_id = ${channelId} AND d.check_id IN (${sql.join(some)}) AND d.claimed_by IS NULL
        AND d.again IS NULL AND d.closing IS NULL AND d.incident_id IS NOT NULL AND f.new_status IN ('down', 'up')
      ON CONFLICT DO NOTHING`.execute(db.sql)
  }
}

async function forget(db: Db, channelId: number, checkIds: readonly number[]): Promise<void> {
  for (const some of chunks(checkIds, db.dialect.maxParameters - 1)) {
    await db.sql
      .deleteFrom('deliveries')
      .where('channel_id', '=', channelId)
      .where('check_id', 'in', some)
      .where('claimed_by', 'is', null)
      .execute()
    await db.sql
      .deleteFrom('flapping')
      .where('channel_id', '=', channelId)
      .where('check_id', 'in', some)
      .execute()
  }
}

async function addClosings(
  db: Db,
  ended: readonly Pair[],
  end: ClosingEnd,
  now: number,
  dueAt: number,
): Promise<boolean> {
  const open = ended.filter(({ mayKnow }) => mayKnow === 1)
  const closings = new Map<number, string>()
  for (const checkId of new Set(open.map(pair => pair.checkId))) {
    const closing = await closingOf(db, checkId, end, now)
    if (closing) closings.set(checkId, JSON.stringify(closing))
  }
  const rows = open
    .filter(({ checkId }) => closings.has(checkId))
    .map(({ checkId, channelId, tried, incidentId }) => ({
      uuid: randomUUID(),
      channel_id: channelId,
      check_id: checkId,
      closing: closings.get(checkId)!,
      incident_id: incidentId,
      missed: tried === 1 ? (1 as const) : (0 as const),
      due_at: dueAt,
      created_at: now,
    }))
  for (const some of chunks(rows, Math.floor(db.dialect.maxParameters / 8))) {
    await db.sql.insertInto('deliveries').values(some).execute()
  }
  return rows.length > 0
}

/**
 * Called after {@link endTargets} when the flips of a check are deleted: replaces their IDs, which may be reused, in
 * what was reported or is being sent. If a message under way fails, it only closes the incident.
 */
export async function forgetFlips(db: Db, checkId: number): Promise<void> {
  await db.sql.updateTable('reported').set({ flip_id: NO_FLIP }).where('check_id', '=', checkId).execute()
  await sql`
    UPDATE deliveries SET flip_id = ${NO_FLIP}, closing = (
      SELECT d.closing FROM deliveries d
      WHERE d.channel_id = deliveries.channel_id AND d.check_id = deliveries.check_id AND d.closing IS NOT NULL
      ORDER BY d.id DESC LIMIT 1
    )
    WHERE check_id = ${checkId} AND claimed_by IS NOT NULL AND closing IS NULL`.execute(db.sql)
}

/** An ID that no flip has. */
const NO_FLIP = 0

/**
 * The check as it is, with the beginning of its description, and why its incident ends for the channel; null if the check
 * was deleted. It is stored once for each channel.
 */
async function closingOf(db: Db, checkId: number, end: ClosingEnd, now: number): Promise<Closing | null> {
  const check = await findCheckToSend(db, checkId)
  if (!check) return null
  const project = await db.sql
    .selectFrom('projects')
    .select(['id', 'uuid', 'name'])
    .where('id', '=', check.projectId)
    .executeTakeFirstOrThrow()
  const desc = sentDescription(check.desc, CLOSING_DESCRIPTION)
  return { check: { ...check, desc }, project, at: now, end, reported: false }
}
