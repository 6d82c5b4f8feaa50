import { type CheckHold, RECHECK_MS } from '../../core/alerts/delivery/hold.js'
import { tagList } from '../../core/checks/check.js'
import { holdsChannel, isInScope, type Silence } from '../../core/silences/silence.js'
import { activeAt, nextChangeAfter } from '../../core/silences/windows.js'
import { type Held, type HoldableCheck, SILENCE_MATTERS_MS } from '../alerts/holds/held.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import { type SilenceRow, toSilence } from './silence-rows.js'

/** The silences that hold down alerts of these checks for a channel now, by the checks' IDs. */
export async function silenceHolds(
  db: Db,
  channelId: number,
  checks: readonly HoldableCheck[],
  now: number,
): Promise<(Held & { checkId: number })[]> {
  const projectIds = new Set(checks.map(check => check.projectId))
  const found = await silencesSince(db, [...projectIds], now - SILENCE_MATTERS_MS)
  const silences = found.filter(silence => holdsChannel(silence, channelId))
  const tags = await tagsFor(db, silences, checks)
  const active = new Map(
    silences.flatMap(silence => (activeAt(silence, now) ? [[silence, holdOf(silence, now)] as const] : [])),
  )
  return checks.map(check => {
    const itsTags = tags.get(check.checkId) ?? null
    const own = silences.filter(
      ({ projectId, scope }) =>
        projectId === check.projectId && isInScope(scope, { checkId: check.checkId, tags: itsTags }),
    )
    return {
      checkId: check.checkId,
      holds: own.flatMap(silence => active.get(silence) ?? []),
      heldAt: at => (own.some(silence => activeAt(silence, at)) ? 'silence' : null),
    }
  })
}

/** What a silence that is active now holds. It is looked at again after {@link RECHECK_MS}, so a later end does not matter. */
export function holdOf(silence: Silence, now: number): CheckHold {
  const until = nextChangeAfter(silence, now, RECHECK_MS) ?? now
  return { reason: 'silence', until, name: silence.reason }
}

/** The silences of these projects that are not over at `since` (ms). */
export async function silencesSince(
  db: Db,
  projectIds: readonly number[],
  since: number,
): Promise<Silence[]> {
  return (await silenceRowsSince(db, projectIds, since)).map(toSilence)
}

/** The rows of {@link silencesSince}. */
export async function silenceRowsSince(
  db: Db,
  projectIds: readonly number[],
  since: number,
): Promise<SilenceRow[]> {
  const items = projectIds.map(projectId => ({ projectId }))
  return await notOver(db, { since }, items)
}

const notOver = preparedList((sql, value: { since: number }, items: { projectId: number }[]) =>
  sql
    .selectFrom('silences')
    .selectAll()
    .where(
      'project_id',
      'in',
      items.map(({ projectId }) => projectId),
    )
    .where(eb => eb.or([eb('over_at', 'is', null), eb('over_at', '>', value.since)]))
    .orderBy('id'),
)

/** The tags of the checks, by their IDs, if one of the silences is about tags. */
export async function tagsFor(
  db: Db,
  silences: readonly Pick<Silence, 'scope'>[],
  checks: readonly { checkId: number }[],
): Promise<Map<number, string[]>> {
  if (!silences.some(({ scope }) => 'tags' in scope)) return new Map()
  const rows = await tagsOf(
    db,
    {},
    checks.map(({ checkId }) => ({ checkId })),
  )
  return new Map(rows.map(row => [row.check_id, tagList(row.tags)]))
}

const tagsOf = preparedList((sql, _: Record<string, never>, items: { checkId: number }[]) =>
  sql
    .selectFrom('check_details')
    .select(['check_id', 'tags'])
    .where(
      'check_id',
      'in',
      items.map(({ checkId }) => checkId),
    ),
)
