/** The alerts that a monthly quota has held, as the e-mail about them tells of them. Decision 0102. */
import { quotaError } from '../../core/alerts/delivery/quota.js'
import type { FlipRef } from '../alerts/digest-facts.js'
import type { Db } from '../db.js'
import { read } from '../method.js'

/** That alerts of the channels of one kind in a project have exceeded a monthly quota since an instant (ms). */
export interface QuotaTrouble {
  /** The kind. */
  quota: string
  /** The project's UUID. */
  project: string
  /** See `Quota`. */
  called: string
  since: number
  /** The flips since then that the e-mail before has named; absent: none. */
  named?: readonly number[]
}

/** What an e-mail names, and what the next one is about. */
export interface UnsentAlerts {
  projectId: number
  flips: FlipRef[]
  /** When the last of them exceeded the quota (ms). */
  exceededAt: number
  next: QuotaTrouble
}

/** How long (ms) such an e-mail tells of alerts that do not wait any more: for the day after that in which it waited for its turn. */
const TRIED_FOR_MS = 2 * 86_400_000

/** Others see that an alert exceeds a quota later than it says, when its transaction ends, by less than this (ms). */
export const SEEN_WITHIN_MS = 60_000

/** Whether there is anything to tell the project's people. */
export async function areUnsent(db: Db, about: QuotaTrouble, now: number): Promise<boolean> {
  const unsent = (await unsentFlips(db, about)).filter(one => !isNamed(about, one))
  if (unsent.length === 0) return false
  if (now < about.since + TRIED_FOR_MS) return true
  // Whatever they wait for now: a hold of another kind may have come after the quota's.
  const waiting = await waitingChecks(db, about)
  return unsent.some(({ checkId }) => waiting.has(checkId))
}

/** The checks about which something waits for channels of the kind. */
async function waitingChecks(db: Db, { quota, project }: QuotaTrouble): Promise<Set<number>> {
  const rows = await db.sql
    .selectFrom('deliveries as d')
    .innerJoin('channels as c', 'c.id', 'd.channel_id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select('d.check_id')
    .distinct()
    .where('p.uuid', '=', project)
    .where('c.kind', '=', quota)
    .execute()
  return new Set(rows.flatMap(({ check_id }) => check_id ?? []))
}

/** What was not sent, as an e-mail that is composed now names it. */
export const unsentFor = read(async (db: Db, about: QuotaTrouble, now: number): Promise<UnsentAlerts> => {
  const { id } = await db.sql
    .selectFrom('projects')
    .select('id')
    .where('uuid', '=', about.project)
    .executeTakeFirstOrThrow()
  const unsent = await unsentFlips(db, about)
  const told = unsent.filter(one => !isNamed(about, one))
  const since = now - SEEN_WITHIN_MS
  const named = unsent.filter(({ exceededAt }) => exceededAt >= since).map(({ id }) => id)
  return {
    projectId: id,
    flips: told.map(({ id, checkId }) => ({ id, checkId })),
    exceededAt: Math.max(about.since, ...told.map(({ exceededAt }) => exceededAt)),
    next: { ...about, since, named },
  }
})

function isNamed({ named = [] }: QuotaTrouble, { id }: FlipRef): boolean {
  return named.includes(id)
}

/**
 * The flips that exceeded the quota and have not been sent since, each once, and when they last did; without those of checks that were
 * deleted or moved. The delivery does not tell: a channel that is enabled again has others about the same flips.
 */
export async function unsentFlips(
  db: Db,
  { quota, project, called, since }: QuotaTrouble,
): Promise<(FlipRef & { exceededAt: number })[]> {
  const rows = await db.sql
    .selectFrom('notifications as n')
    .innerJoin('channels as c', 'c.id', 'n.channel_id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .innerJoin('checks', join =>
      join.onRef('checks.id', '=', 'n.check_id').onRef('checks.project_id', '=', 'p.id'),
    )
    .select(['n.flip_id as id', 'n.check_id as checkId'])
    .select(({ fn }) => fn.max('n.created_at').as('exceededAt'))
    .groupBy(['n.flip_id', 'n.check_id'])
    .where('p.uuid', '=', project)
    .where('c.kind', '=', quota)
    .where('n.created_at', '>=', since)
    .where('n.error', '=', quotaError({ called }))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as sent')
            .select('sent.id')
            .whereRef('sent.channel_id', '=', 'n.channel_id')
            .whereRef('sent.check_id', '=', 'n.check_id')
            .whereRef('sent.flip_id', '=', 'n.flip_id')
            .whereRef('sent.id', '>', 'n.id')
            .where('sent.error', '=', ''),
        ),
      ),
    )
    .execute()
  return rows.flatMap(({ id, checkId, exceededAt }) =>
    id === null || checkId === null ? [] : [{ id, checkId, exceededAt: Number(exceededAt) }],
  )
}
