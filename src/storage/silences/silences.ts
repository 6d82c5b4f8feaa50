/** Silences as they are shown. */
import { Refusal } from '../../core/errors.js'
import { LONGEST_LIST } from '../../core/silences/limits.js'
import type { NamedChannel, NamedCheck, ShownSilence } from '../../core/silences/shown-silence.js'
import type { Silence, SilenceScope } from '../../core/silences/silence.js'
import { activeAt, nextChangeAfter, overAt } from '../../core/silences/windows.js'
import { compareNames } from '../../core/text/compare-names.js'
import { inTurns, mapped } from '../../lib/in-turns.js'
import { selectShownName } from '../checks/rows/shown-name.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { silencesSince } from './silence-holds.js'
import { toSilence } from './silence-rows.js'

/** A silence of the project. Throws `Refusal('not-found')`. */
export const find = read(
  async (db: Db, projectId: number, id: number, now: number): Promise<ShownSilence> => {
    const row = await db.sql
      .selectFrom('silences')
      .selectAll()
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (!row) throw new Refusal('not-found', 'silence not found')
    const [shown] = await show(db, [toSilence(row)], now)
    return shown!
  },
)

/** The silences of a project that are not over at `now` (ms): the active ones first, then by when they begin. */
export const list = read(async (db: Db, projectId: number, now: number): Promise<ShownSilence[]> => {
  const shown = await show(db, await silencesSince(db, [projectId], now), now)
  return shown.sort(
    (a, b) =>
      Number(b.state === 'active') - Number(a.state === 'active') ||
      (a.changesAt ?? 0) - (b.changesAt ?? 0) ||
      a.id - b.id,
  )
})

/** The silences of these projects that are active at `now`. Their checks are named only if there are any. */
export const listActive = read(
  async (db: Db, projectIds: readonly number[], now: number): Promise<ShownSilence[]> => {
    const silences = await silencesSince(db, projectIds, now)
    return await show(
      db,
      silences.filter(silence => activeAt(silence, now)),
      now,
    )
  },
)

/** How many checks of a project can be chosen by name; of more, only those that are chosen are listed. */
const MOST_CHOOSABLE = 500

/** The checks of a project that a form lists, by name. `chosen`: UUIDs of checks that are listed in any case, and first. */
export const choosableChecks = read(
  async (db: Db, projectId: number, chosen: readonly string[]): Promise<{ uuid: string; name: string }[]> => {
    const checks = db.sql
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['c.uuid', selectShownName])
      .where('c.project_id', '=', projectId)
    const listed = await checks.orderBy('d.name').orderBy('c.id').limit(MOST_CHOOSABLE).execute()
    const missing = chosen.filter(uuid => !listed.some(check => check.uuid === uuid))
    const others =
      missing.length === 0 ? [] : await checks.where('c.uuid', 'in', missing.slice(0, LONGEST_LIST)).execute()
    const isChosen = new Set(chosen)
    const rank = ({ uuid }: { uuid: string }) => (isChosen.has(uuid) ? 0 : 1)
    return [...others, ...listed].sort((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
  },
)

/** The silences of a project that are over, those that were created last first; before the ID `before` if given. */
export const listPast = read(
  async (
    db: Db,
    projectId: number,
    { now, before, most }: { now: number; before: number | null; most: number },
  ): Promise<ShownSilence[]> => {
    const query = db.sql
      .selectFrom('silences')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('over_at', '<=', now)
    const rows = await (before === null ? query : query.where('id', '<', before))
      .orderBy('id', 'desc')
      .limit(most)
      .execute()
    return await show(db, rows.map(toSilence), now)
  },
)

async function show(db: Db, silences: readonly Silence[], now: number): Promise<ShownSilence[]> {
  const checks = await checksWith(
    db,
    silences.flatMap(({ scope }) => checkIds(scope) ?? []),
  )
  const channels = await channelsWith(
    db,
    silences.flatMap(one => one.channels ?? []),
  )
  const shown = (silence: Silence): ShownSilence => ({
    ...silence,
    ...stateOf(silence, now),
    // A check that was moved belongs to another project's people.
    namedChecks:
      checkIds(silence.scope)?.flatMap(id => {
        const check = checks.get(id)
        return check?.projectId === silence.projectId ? [check] : []
      }) ?? null,
    namedChannels: silence.channels?.flatMap(id => channels.get(id) ?? []) ?? null,
  })
  return await inTurns(mapped(silences, shown))
}

function stateOf(silence: Silence, now: number): Pick<ShownSilence, 'state' | 'changesAt' | 'overAt'> {
  const over = overAt(silence)
  if (over !== null && over <= now) return { state: 'past', changesAt: null, overAt: over }
  const state = activeAt(silence, now) ? 'active' : 'coming'
  return { state, changesAt: nextChangeAfter(silence, now), overAt: over }
}

function checkIds(scope: SilenceScope): readonly number[] | null {
  return 'checks' in scope ? scope.checks : null
}

async function checksWith(db: Db, ids: readonly number[]) {
  const found = new Map<number, NamedCheck & { projectId: number }>()
  for (const some of chunks([...new Set(ids)], db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['c.id', 'c.uuid', 'c.project_id as projectId', selectShownName, 'd.unique_key as uniqueKey'])
      .where('c.id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

async function channelsWith(db: Db, ids: readonly number[]) {
  const found = new Map<number, NamedChannel>()
  for (const some of chunks([...new Set(ids)], db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('channels')
      .select(['id', 'uuid', 'name', 'kind'])
      .where('id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, row)
  }
  return found
}
