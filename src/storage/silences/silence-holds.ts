import { type CheckHold, RECHECK_MS } from '../../core/alerts/delivery/hold.js'
import { tagList } from '../../core/checks/check.js'
import { holdsChannels, isInScope, type Silence } from '../../core/silences/silence.js'
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
): Promise<CheckHeld[]> {
  return (await silenceHoldsByChannel(db, checks, now))(channelId)
}

type CheckHeld = Held & { checkId: number }

/** As {@link silenceHolds}, for any channel. The silences are read, and it is found out which are active, once for all channels. */
export async function silenceHoldsByChannel(
  db: Db,
  checks: readonly HoldableCheck[],
  now: number,
): Promise<(channelId: number) => CheckHeld[]> {
  const projectIds = new Set(checks.map(check => check.projectId))
  const rows = await silenceRowsSince(db, [...projectIds], now - SILENCE_MATTERS_MS)
  const silences = rows.map(row => {
    const silence = toSilence(row)
    return { projectId: row.project_id, scope: silence.scope, holds: holdsChannels(silence), silence }
  })
  const versions = rows.flatMap(row =>
    versionsOf(row).map(version => ({
      projectId: row.project_id,
      scope: version.scope,
      holds: holdsChannels(version),
      version,
    })),
  )
  const tags = await tagsFor(db, versions, checks)
  const activeHold = once((silence: Silence) => (activeAt(silence, now) ? holdOf(silence, now) : null))
  const scoped = checks.map(({ checkId, projectId }) => {
    const check = { checkId, tags: tags.get(checkId) ?? null }
    const isOwn = (one: Pick<Silence, 'projectId' | 'scope'>) =>
      one.projectId === projectId && isInScope(one.scope, check)
    return { checkId, silences: silences.filter(isOwn), versions: versions.filter(isOwn) }
  })
  return channelId =>
    scoped.map(own => ({
      checkId: own.checkId,
      holds: own.silences.flatMap(({ holds, silence }) =>
        holds(channelId) ? (activeHold(silence) ?? []) : [],
      ),
      heldAt: at =>
        own.versions.some(({ holds, version }) => holds(channelId) && activeAt(version, at))
          ? 'silence'
          : null,
    }))
}

/** `find`, which looks at each value once. */
function once<V extends object, R>(find: (value: V) => R): (value: V) => R {
  const found = new Map<V, R>()
  return value => {
    if (!found.has(value)) found.set(value, find(value))
    return found.get(value)!
  }
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
