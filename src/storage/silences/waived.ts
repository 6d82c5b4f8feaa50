import { hasPassedDeadline, type Waived } from '../../core/checks/health/judge.js'
import { isInScope, type Silence } from '../../core/silences/silence.js'
import { windowsBetween } from '../../core/silences/windows.js'
import { joined } from '../../core/time/spans.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'
import { tagsFor } from './silence-holds.js'
import { toSilence } from './silence-rows.js'

const NONE: ReadonlyMap<number, Waived> = new Map()

/**
 * The times up to `until` (ms) in which nothing is expected of these checks, by their IDs. Looked up only for checks
 * with a deadline that has passed, and only from its expected instant on. Decision 0115.
 */
export async function waivedFor(
  db: Db,
  checks: readonly LoadedCheck[],
  until: number,
): Promise<ReadonlyMap<number, Waived>> {
  const passed = checks.filter(check => check.status === 'up' && hasPassedDeadline(check, until))
  if (passed.length === 0) return NONE
  const silences = await expectingNothing(db, passed)
  if (silences.length === 0) return NONE
  const tags = await tagsFor(
    db,
    silences,
    passed.map(({ id }) => ({ checkId: id })),
  )
  const waived = new Map<number, Waived>()
  for (const check of passed) {
    const own = { checkId: check.id, tags: tags.get(check.id) ?? null }
    const spans = silences
      .filter(({ projectId, scope }) => projectId === check.projectId && isInScope(scope, own))
      .flatMap(silence => windowsBetween(silence, firstDue(check), until + 1))
    if (spans.length > 0) waived.set(check.id, joined(spans))
  }
  return waived
}

/** An instant (ms) before which nothing is judged any more. */
function firstDue({ dueAt, lastPing, tracking }: LoadedCheck): number {
  return dueAt ?? tracking?.coveredUntil ?? lastPing ?? 0
}

async function expectingNothing(db: Db, checks: readonly LoadedCheck[]): Promise<Silence[]> {
  const projects = [...new Set(checks.map(({ projectId }) => projectId))]
  const since = Math.min(...checks.map(firstDue))
  const silences: Silence[] = []
  for (const some of chunks(projects, db.dialect.maxParameters - 2)) {
    const rows = await db.sql
      .selectFrom('silences')
      .selectAll()
      .where('project_id', 'in', some)
      .where('mode', '=', 'expect_nothing')
      .where(eb => eb.or([eb('over_at', 'is', null), eb('over_at', '>', since)]))
      .execute()
    silences.push(...rows.map(toSilence))
  }
  return silences
}
