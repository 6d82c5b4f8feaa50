import { tagList } from '../../core/checks/check.js'
import { hasPassedDeadline, type Waived } from '../../core/checks/health/judge.js'
import { isInScope } from '../../core/silences/silence.js'
import type { Version } from '../../core/silences/versions.js'
import { Waivers } from '../../core/silences/waivers.js'
import { activeAmong } from '../../core/silences/windows.js'
import { spansOf } from '../../core/time/edges.js'
import type { Span } from '../../core/time/spans.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'
import { tagsFor } from './silence-holds.js'
import { versionsOf } from './silence-rows.js'

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
  const projects = passed.map(({ projectId }) => projectId)
  const silences = await expectingNothing(db, projects, Math.min(...passed.map(firstDue)))
  if (silences.length === 0) return NONE
  const tags = await tagsFor(
    db,
    silences,
    passed.map(({ id }) => ({ checkId: id })),
  )
  const waived = new Map<number, Waived>()
  const waiversOf = new Map<number, Waivers>()
  for (const check of passed) {
    const { projectId } = check
    const own = concerning(silences, { ...check, tags: tags.get(check.id) ?? null })
    if (own.length === 0) continue
    const waivers =
      waiversOf.get(projectId) ??
      new Waivers(
        silences.filter(silence => silence.projectId === projectId),
        until + 1,
      )
    waiversOf.set(projectId, waivers)
    waived.set(check.id, waivers.of(own))
  }
  return waived
}

/** The longest time (ms) of which all windows are found. */
const LONGEST_MS = 31 * 86_400_000

/** When nothing was expected of a check between two instants (ms), in order; null: that is too long ago to say. */
export async function waivedSpans(
  db: Db,
  { id, projectId, tags }: { id: number; projectId: number; tags: string },
  time: Span,
): Promise<Span[] | null> {
  const silences = await expectingNothing(db, [projectId], time.from)
  const own = concerning(silences, { id, projectId, tags: tagList(tags) })
  if (own.length === 0) return []
  return time.to - time.from > LONGEST_MS ? null : spansOf(activeAmong(own, time)(own))
}

/** What a silence of a project is, or was before a change: what was not expected then is not expected afterwards. */
type OfProject = Version & { projectId: number }

function concerning(
  silences: readonly OfProject[],
  { id: checkId, projectId, tags }: { id: number; projectId: number; tags: readonly string[] | null },
): OfProject[] {
  return silences.filter(
    silence => silence.projectId === projectId && isInScope(silence.scope, { checkId, tags }),
  )
}

/** An instant (ms) before which nothing is judged any more. */
function firstDue({ dueAt, lastPing, tracking }: LoadedCheck): number {
  return dueAt ?? tracking?.coveredUntil ?? lastPing ?? 0
}

/** The silences of these projects in which nothing is expected, and that are not over at `since` (ms). */
async function expectingNothing(db: Db, projects: readonly number[], since: number): Promise<OfProject[]> {
  const silences: OfProject[] = []
  for (const some of chunks([...new Set(projects)], db.dialect.maxParameters - 2)) {
    const rows = await db.sql
      .selectFrom('silences')
      .selectAll()
      .where('project_id', 'in', some)
      .where(eb => eb.or([eb('mode', '=', 'expect_nothing'), eb('earlier', 'is not', null)]))
      .where(eb => eb.or([eb('over_at', 'is', null), eb('over_at', '>', since)]))
      .execute()
    for (const row of rows) {
      const versions = versionsOf(row).filter(({ mode }) => mode === 'expect_nothing')
      silences.push(...versions.map(version => ({ ...version, projectId: row.project_id })))
    }
  }
  return silences
}
