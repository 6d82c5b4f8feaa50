/** Everything that the page of a check shows besides its timeline, read in one snapshot. */

import { type CheckState, checkState } from '../../core/checks/check-state.js'
import type { Flip } from '../../core/checks/flip.js'
import { type Run, runsOf } from '../../core/checks/history/run-strip.js'
import type { Outage } from '../../core/instance/outage.js'
import type { Action } from '../../core/pings/ping-event.js'
import { OUTPUT_BYTES } from '../../core/pings/ping-log.js'
import type { Db } from '../db.js'
import { currentHold, outagesSince } from '../instance/outages.js'
import { read } from '../method.js'
import { waitingBody } from '../pings/uploads.js'
import type { CheckWithIds } from './check-rows.js'
import { findCheck } from './find-check.js'
import { FLIP_COLUMNS, toFlip } from './history/flip-rows.js'
import { lastFlips } from './history/last-flips.js'

/** How far back flips are read: three months including the current one, and the bar of 90 days. */
const PAST_MS = 94 * 86_400_000

/** The maximum number of pings used for figures and charts. */
const RUN_PINGS = 1_000

/** A channel of the project, and whether the check is linked to it. */
export interface CheckChannel {
  uuid: string
  name: string
  kind: string
  disabled: boolean
  on: boolean
}

/** One attempt to send the check's last flip. */
export interface Told {
  at: number
  channel: { uuid: string; name: string; kind: string }
  error: string
}

export interface CheckFacts {
  check: CheckWithIds
  state: CheckState
  channels: CheckChannel[]
  /** Oldest first, as far back as {@link PAST_MS}. */
  flips: Flip[]
  outages: Outage[]
  /** The runs of the stored pings, oldest first. */
  runs: Run[]
  /** The end of the newest body (null if the body is outside the database), and its ping. */
  output: { n: number; at: number; tail: Uint8Array | null; size: number } | null
  told: Told[]
  /** The project's ping key, if the check can be pinged by its slug. */
  pingKey: string | null
  /** The number of checks in the project with this slug. */
  sameSlug: number
}

/** The facts about a check. Throws a `Refusal` as {@link findCheck} does. */
export const facts = read(
  async (db: Db, projectId: number, uuid: string, now: number): Promise<CheckFacts> => {
    const check = await findCheck(db, projectId, { uuid })
    // Asked together, since none needs the answer to another.
    const [hold, lasts, flips, channels, outages, output, slug] = await Promise.all([
      currentHold(db, now),
      lastFlips(db, [check.id]),
      flipsSince(db, check.id, now - PAST_MS),
      channelsFor(db, check),
      outagesSince(db, now - PAST_MS),
      lastOutput(db, check),
      slugFacts(db, check),
    ])
    const last = lasts.get(check.id) ?? null
    const state = checkState(check, last, now, hold)
    const [runs, told] = await Promise.all([
      keptRuns(db, check, flips, state.running?.since ?? null),
      last ? toldOf(db, check.id, last.id) : [],
    ])
    return { check, state, channels, flips, outages, runs, output, told, ...slug }
  },
)

async function channelsFor(db: Db, check: CheckWithIds): Promise<CheckChannel[]> {
  const rows = await db.sql
    .selectFrom('channels as ch')
    .leftJoin('check_channels as cc', join =>
      join.onRef('cc.channel_id', '=', 'ch.id').on('cc.check_id', '=', check.id),
    )
    .select(['ch.uuid', 'ch.name', 'ch.kind', 'ch.disabled', 'cc.check_id as linked'])
    .where('ch.project_id', '=', check.projectId)
    .orderBy('ch.id')
    .execute()
  return rows.map(({ disabled, linked, ...row }) => ({
    ...row,
    disabled: disabled === 1,
    on: linked !== null,
  }))
}

async function flipsSince(db: Db, checkId: number, since: number): Promise<Flip[]> {
  const rows = await db.sql
    .selectFrom('flips')
    .select(FLIP_COLUMNS)
    .where('check_id', '=', checkId)
    .where('created_at', '>=', since)
    .orderBy('id')
    .execute()
  return rows.map(toFlip)
}

async function keptRuns(
  db: Db,
  check: CheckWithIds,
  flips: readonly Flip[],
  runningSince: number | null,
): Promise<Run[]> {
  const rows = await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'kind', 'rid', 'exit_status as exitStatus', 'duration as durationMs'])
    .where('check_id', '=', check.id)
    .where('n', '>', check.nPings - Math.min(db.settings.pingLogLimit, RUN_PINGS))
    .orderBy('n')
    .execute()
  const log = rows.map(({ kind, ...row }) => ({ ...row, action: kind as Action }))
  return runsOf(log, flips, runningSince, RUN_PINGS)
}

async function lastOutput(db: Db, check: CheckWithIds): Promise<CheckFacts['output']> {
  const row = await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'body', 'object_size'])
    .where('check_id', '=', check.id)
    .where('n', '>', check.nPings - db.settings.pingLogLimit)
    .where(eb => eb.or([eb('body', 'is not', null), eb('object_size', '>', 0)]))
    .where('kind', 'in', ['success', 'fail', 'log'])
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  const body = row?.object_size ? await waitingBody(db, check.uuid, row.n) : row?.body
  const size = row?.object_size ?? body?.length ?? 0
  if (!row || size === 0) return null
  return { n: row.n, at: row.at, tail: body ? new Uint8Array(body.slice(-OUTPUT_BYTES)) : null, size }
}

/** The last attempt through each channel. */
async function toldOf(db: Db, checkId: number, flipId: number): Promise<Told[]> {
  const rows = await db.sql
    .selectFrom('notifications as n')
    .innerJoin('channels as ch', 'ch.id', 'n.channel_id')
    .select(['ch.id as channelId', 'n.created_at as at', 'n.error', 'ch.uuid', 'ch.name', 'ch.kind'])
    .where('n.check_id', '=', checkId)
    .where('n.flip_id', '=', flipId)
    .orderBy('n.id')
    .execute()
  const last = new Map(rows.map(row => [row.channelId, row]))
  return [...last.values()].map(({ at, error, uuid, name, kind }) => ({
    at,
    error,
    channel: { uuid, name, kind },
  }))
}

async function slugFacts(db: Db, check: CheckWithIds): Promise<Pick<CheckFacts, 'pingKey' | 'sameSlug'>> {
  const { pingKey } = await db.sql
    .selectFrom('projects')
    .select('ping_key as pingKey')
    .where('id', '=', check.projectId)
    .executeTakeFirstOrThrow()
  if (check.slug === '') return { pingKey, sameSlug: 0 }
  const { count } = await db.sql
    .selectFrom('check_details')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', check.projectId)
    .where('slug', '=', check.slug)
    .executeTakeFirstOrThrow()
  return { pingKey, sameSlug: Number(count) }
}
