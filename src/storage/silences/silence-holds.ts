import { type CheckHold, RECHECK_MS } from '../../core/alerts/delivery/hold.js'
import { tagList } from '../../core/checks/check.js'
import { holdsChannel, isInScope, type Silence } from '../../core/silences/silence.js'
import { activeAt, nextChangeAfter } from '../../core/silences/windows.js'
import { type Held, type HoldableCheck, SILENCE_MATTERS_MS } from '../alerts/holds/held.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import { type SilenceRow, toSilence, versionsOf } from './silence-rows.js'

/** The silences that hold down alerts of these checks for a channel now, by the checks' IDs. */
export async function silenceHolds(
  db: Db,
  channelId: number,
  checks: readonly HoldableCheck[],
  now: number,
): Promise<(Held & { checkId: number })[]> {
  const projectIds = new Set(checks.map(check => check.projectId))
  const rows = await silenceRowsSince(db, [...projectIds], now - SILENCE_MATTERS_MS)
  const ofChannel = (silence: Pick<Silence, 'channels'>) => holdsChannel(silence, channelId)
  const active = rows
    .map(toSilence)
    .filter(silence => ofChannel(silence) && activeAt(silence, now))
    .map(silence => ({ silence, hold: holdOf(silence, now) }))
  const versions = rows.flatMap(row =>
    versionsOf(row)
      .filter(ofChannel)
      .map(version => ({ ...version, projectId: row.project_id })),
  )
  const tags = await tagsFor(db, versions, checks)
  return checks.map(({ checkId, projectId }) => {
    const check = { checkId, tags: tags.get(checkId) ?? null }
    const isOwn = (silence: Pick<Silence, 'projectId' | 'scope'>) =>
      silence.projectId === projectId && isInScope(silence.scope, check)
    const own = versions.filter(isOwn)
    return {
      checkId,
      holds: active.filter(({ silence }) => isOwn(silence)).map(({ hold }) => hold),
      heldAt: at => (own.some(version => activeAt(version, at)) ? 'silence' : null),
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
