import { type CheckHold, RECHECK_MS } from '../../core/alerts/delivery/hold.js'
import { tagList } from '../../core/checks/check.js'
import { holdsChannel, isInScope, type Silence } from '../../core/silences/silence.js'
import { activeAt, nextChangeAfter } from '../../core/silences/windows.js'
import { type Held, type HoldableCheck, SILENCE_MATTERS_MS } from '../alerts/holds/held.js'
import type { Db } from '../db.js'
import { prepared, preparedList } from '../prepared.js'
import { toSilence } from './silence-rows.js'

/** The silences that hold down alerts of these checks for a channel now, by the checks' IDs. */
export async function silenceHolds(
  db: Db,
  channelId: number,
  checks: readonly HoldableCheck[],
  now: number,
): Promise<(Held & { checkId: number })[]> {
  const silences: Silence[] = []
  for (const projectId of new Set(checks.map(check => check.projectId))) {
    const found = await silencesSince(db, projectId, now - SILENCE_MATTERS_MS)
    silences.push(...found.filter(silence => holdsChannel(silence, channelId)))
  }
  const tags = await tagsFor(db, silences, checks)
  const active = new Map(
    silences.flatMap(silence => (activeAt(silence, now) ? [[silence, toHold(silence, now)] as const] : [])),
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

/** What is held is looked at again after {@link RECHECK_MS}, so a later end does not matter. */
function toHold(silence: Silence, now: number): CheckHold {
  const until = nextChangeAfter(silence, now, RECHECK_MS) ?? now
  return { reason: 'silence', until, name: silence.reason }
}

/** The silences of a project that are not over at `since` (ms). */
export async function silencesSince(db: Db, projectId: number, since: number): Promise<Silence[]> {
  return (await notOver.all(db, { projectId, since })).map(toSilence)
}

const notOver = prepared((sql, value: { projectId: number; since: number }) =>
  sql
    .selectFrom('silences')
    .selectAll()
    .where('project_id', '=', value.projectId)
    .where(eb => eb.or([eb('over_at', 'is', null), eb('over_at', '>', value.since)]))
    .orderBy('id'),
)

/** The tags of the checks, by their IDs, if one of the silences is about tags. */
export async function tagsFor(
  db: Db,
  silences: readonly Silence[],
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
