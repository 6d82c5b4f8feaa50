/** Everything that the page of a check shows besides its timeline, read in one snapshot. */

import { type CheckState, checkState } from '../../core/checks/check-state.js'
import type { Flip } from '../../core/checks/flip.js'
import { type Run, runsOf } from '../../core/checks/history/run-strip.js'
import type { Outage } from '../../core/instance/outage.js'
import { OUTPUT_BYTES } from '../../core/pings/ping-log.js'
import type { Db } from '../db.js'
import { currentHold, outagesSince } from '../instance/outages.js'
import { read } from '../method.js'
import { recentPings } from '../pings/recent-pings.js'
import { waitingBody } from '../pings/uploads.js'
import { prepared } from '../prepared.js'
import { findCheck } from './find-check.js'
import { FLIP_COLUMNS, toFlip } from './history/flip-rows.js'
import { lastFlips } from './history/last-flips.js'
import type { CheckWithIds } from './rows/check-rows.js'

/** How far back flips are read: three months including the current one, and the bar of 90 days. */
const PAST_MS = 94 * 86_400_000

/** The maximum number of pings used for figures and charts: 200 runs with starts. */
const RUN_PINGS = 400

/** A channel of the project, and whether the check is linked to it. */
export interface CheckChannel {
  uuid: string
  name: string
  kind: string
  disabled: boolean
  on: boolean
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
  /** Of a check that is down: the end of the newest body (null if it is outside the database), and its ping. */
  output: { n: number; at: number; tail: Uint8Array | null; size: number } | null
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
    const [hold, lasts, flips, channels, outages, slug] = await Promise.all([
      currentHold(db, now),
      lastFlips(db, [check.id]),
      flipsSince(db, check.id, now - PAST_MS),
      channelsFor(db, check),
      outagesSince(db, now - PAST_MS, check),
      slugFacts(db, check),
    ])
    const last = lasts.get(check.id) ?? null
    const state = checkState(check, last, now, hold)
    const isDown = state.status === 'down'
    const [runs, output] = await Promise.all([
      keptRuns(db, check, flips, state.running?.since ?? null),
      isDown ? lastOutput(db, check) : null,
    ])
    return { check, state, channels, flips, outages, runs, output, ...slug }
  },
)

async function channelsFor(db: Db, { id, projectId }: CheckWithIds): Promise<CheckChannel[]> {
  const rows = await channelsOfProject.all(db, { checkId: id, projectId })
  return rows.map(({ disabled, linked, ...row }) => ({
    ...row,
    disabled: disabled === 1,
    on: linked !== null,
  }))
}

const channelsOfProject = prepared((sql, value: { checkId: number; projectId: number }) =>
  sql
    .selectFrom('channels as ch')
    .leftJoin('check_channels as cc', join =>
      join.onRef('cc.channel_id', '=', 'ch.id').on('cc.check_id', '=', value.checkId),
    )
    .select(['ch.uuid', 'ch.name', 'ch.kind', 'ch.disabled', 'cc.check_id as linked'])
    .where('ch.project_id', '=', value.projectId)
    .orderBy('ch.id'),
)

async function flipsSince(db: Db, checkId: number, since: number): Promise<Flip[]> {
  return (await flipsOfCheck.all(db, { checkId, since })).map(toFlip)
}

const flipsOfCheck = prepared((sql, value: { checkId: number; since: number }) =>
  sql
    .selectFrom('flips')
    .select(FLIP_COLUMNS)
    .where('check_id', '=', value.checkId)
    .where('created_at', '>=', value.since)
    .orderBy('id'),
)

async function keptRuns(
  db: Db,
  check: CheckWithIds,
  flips: readonly Flip[],
  runningSince: number | null,
): Promise<Run[]> {
  const log = (await recentPings(db, [check], RUN_PINGS)).get(check.id)!
  return runsOf(log, flips, runningSince, RUN_PINGS)
}

async function lastOutput(db: Db, check: CheckWithIds): Promise<CheckFacts['output']> {
  const [row] = await lastBody.all(db, { checkId: check.id, after: check.nPings - db.settings.pingLogLimit })
  const body = row?.object_size ? await waitingBody(db, check.uuid, row.n) : row?.body
  const size = row?.object_size ?? body?.length ?? 0
  if (!row || size === 0) return null
  return { n: row.n, at: row.at, tail: body ? new Uint8Array(body.slice(-OUTPUT_BYTES)) : null, size }
}

const lastBody = prepared((sql, value: { checkId: number; after: number }) =>
  sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'body', 'object_size'])
    .where('check_id', '=', value.checkId)
    .where('n', '>', value.after)
    .where(eb => eb.or([eb('body', 'is not', null), eb('object_size', '>', 0)]))
    .where('kind', 'in', ['success', 'fail', 'log'])
    .orderBy('n', 'desc')
    .limit(1),
)

/** The last attempt through each channel. */
async function slugFacts(db: Db, check: CheckWithIds): Promise<Pick<CheckFacts, 'pingKey' | 'sameSlug'>> {
  const { projectId, slug } = check
  const [project] = await pingKeyOf.all(db, { projectId })
  const { pingKey } = project!
  if (slug === '') return { pingKey, sameSlug: 0 }
  const [same] = await withSlug.all(db, { projectId, slug })
  return { pingKey, sameSlug: Number(same!.count) }
}

const pingKeyOf = prepared((sql, value: { projectId: number }) =>
  sql.selectFrom('projects').select('ping_key as pingKey').where('id', '=', value.projectId),
)

const withSlug = prepared((sql, value: { projectId: number; slug: string }) =>
  sql
    .selectFrom('check_details')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', value.projectId)
    .where('slug', '=', value.slug),
)
