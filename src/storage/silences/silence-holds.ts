import { type CheckHold, RECHECK_MS } from '../../core/alerts/delivery/hold.js'
import { tagList } from '../../core/checks/check.js'
import { holdsChannels, isInScope, type Silence } from '../../core/silences/silence.js'
import { activeAt, nextChangeAfter } from '../../core/silences/windows.js'
import { once } from '../../lib/once.js'
import { type Held, type HoldableCheck, SILENCE_MATTERS_MS } from '../alerts/holds/held.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import { type SilenceRow, toSilence, versionsOf } from './silence-rows.js'

/** The silences that hold down alerts of checks for a channel now, by the checks' IDs. */
export type SilenceHolds = (channelId: number, checks: readonly HoldableCheck[]) => Promise<CheckHeld[]>

type CheckHeld = Held & { checkId: number }

/**
 * Finds what silences hold now. The silences of a project, and the tags of a check, are read once, and so it is found out once which silences
 * are active and concern the check: a claim or an explanation asks about hundreds of channels.
 */
export function silenceHolds(db: Db, now: number): SilenceHolds {
  const projects = new Map<number, KnownSilence[]>()
  const known = new Map<number, ChannelHolds>()
  const readProjects = async (projectIds: readonly number[]) => {
    if (projectIds.length === 0) return
    const rows = await silenceRowsSince(db, projectIds, now - SILENCE_MATTERS_MS)
    for (const id of projectIds) {
      const own = rows.filter(row => row.project_id === id)
      projects.set(
        id,
        own.map(row => toKnown(row, now)),
      )
    }
  }
  const readChecks = async (checks: readonly HoldableCheck[]) => {
    if (checks.length === 0) return
    const versions = unique(checks.map(({ projectId }) => projectId)).flatMap(id =>
      projects.get(id)!.flatMap(one => one.versions),
    )
    const tags = await tagsFor(db, versions, checks)
    for (const { checkId, projectId } of checks)
      known.set(checkId, channelHolds(projects.get(projectId)!, { checkId, tags: tags.get(checkId) ?? null }))
  }
  return async (channelId, checks) => {
    const projectIds = unique(checks.map(({ projectId }) => projectId))
    await readProjects(projectIds.filter(id => !projects.has(id)))
    await readChecks(checks.filter(({ checkId }) => !known.has(checkId)))
    return checks.map(({ checkId }) => ({ checkId, ...known.get(checkId)!(channelId) }))
  }
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)]
}

/** A silence as it is, and as it was and is. */
interface KnownSilence {
  scope: Silence['scope']
  isNarrow: boolean
  holds(channelId: number): boolean
  /** What it holds now; null: nothing. */
  hold(): CheckHold | null
  versions: { scope: Silence['scope']; holds(channelId: number): boolean; isActiveAt(at: number): boolean }[]
}

function toKnown(row: SilenceRow, now: number): KnownSilence {
  const silence = toSilence(row)
  return {
    scope: silence.scope,
    isNarrow: silence.channels !== null,
    holds: holdsChannels(silence),
    hold: once(() => (activeAt(silence, now) ? holdOf(silence, now) : null)),
    versions: versionsOf(row).map(version => ({
      scope: version.scope,
      holds: holdsChannels(version),
      isActiveAt: at => activeAt(version, at),
    })),
  }
}

/** What holds a check, by the IDs of channels. */
type ChannelHolds = (channelId: number) => Held

function channelHolds(
  silences: readonly KnownSilence[],
  check: { checkId: number; tags: readonly string[] | null },
): ChannelHolds {
  // Hardly ever asked for.
  const versions = once(() =>
    silences.flatMap(one => one.versions).filter(({ scope }) => isInScope(scope, check)),
  )
  const active = silences.flatMap(one => {
    const hold = isInScope(one.scope, check) ? one.hold() : null
    return hold ? [{ ...one, hold }] : []
  })
  const narrow = active.filter(one => one.isNarrow)
  const ofAll = active.filter(one => !one.isNarrow).map(({ hold }) => hold)
  return channelId => ({
    // Mostly the same list for all channels.
    holds: narrow.some(one => one.holds(channelId))
      ? active.filter(one => one.holds(channelId)).map(({ hold }) => hold)
      : ofAll,
    heldAt: at => (versions().some(one => one.holds(channelId) && one.isActiveAt(at)) ? 'silence' : null),
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
