/** Finds the check of each ping of a batch, and creates those that `create=1` asks for. */
import type { ArrivedPing, EarlierPings, LockedCheck, PingOutcome } from '../../../core/pings/arrived-ping.js'
import { MOST_CREATED } from '../../../core/pings/most-created.js'
import { MOST_CHANNELS } from '../../../core/projects/most-channels.js'
import { appendTo } from '../../../lib/append-to.js'
import { channelCounts, MOST_TARGETS_AT_ONCE } from '../../channels/count-targets.js'
import { lockProjects } from '../../checks/checks.js'
import type { Db } from '../../db.js'
import type { LoadedCheck, SlugMatch } from '../../dialect.js'
import type { WhenLocked } from '../../locks.js'
import { autoProvision, roomForChecks } from '../auto-provision.js'
import type { Match } from './ping-plan.js'

/** The checks of pings that are locked, by their places. */
export type LockedPlaces = Map<number, LockedCheck>

export const toLocked = ({ id, projectId }: LoadedCheck): LockedCheck => ({ checkId: id, projectId })

/** The most checks that a batch creates, and the most channels to which it links them. */
const MOST = { checks: MOST_CREATED, links: MOST_TARGETS_AT_ONCE }

/** How pings are found. `earlier`: what earlier pings still wait for; null: none do. */
interface How {
  earlier: EarlierPings | null
  whenLocked: WhenLocked
}

/**
 * The check of each ping, or why there is none. Creates the checks that `create=1` asks for. Adds those that are locked, and those that
 * `earlier` pings wait for, to `locked`; so too those that are not created because they are too many, or earlier ones of their project
 * are not created yet, with their places in `uncreated`.
 */
export async function findChecks(
  db: Db,
  pings: readonly ArrivedPing[],
  { earlier, whenLocked }: How,
  locked: LockedPlaces,
): Promise<{ found: Match[]; uncreated: number[] }> {
  const after = new Set(earlier?.checks)
  const slugs = await matchSlugs(db, pings, { earlier, whenLocked })
  const creations = creationsOf(pings, slugs)
  await createAll(db, creations, slugs)
  const targets = pings.map(({ target }, place) =>
    'uuid' in target ? { uuid: target.uuid, created: false } : targetOf(target, place, slugs, creations),
  )
  const uuids = new Set<string>()
  for (const target of targets) if (isCheck(target)) uuids.add(target.uuid)
  const { checks, locked: named } =
    whenLocked === 'skip'
      ? await db.dialect.loadUnlocked([...uuids])
      : { checks: await db.dialect.loadChecks([...uuids]), locked: [] }
  const loaded = new Map(checks.map(check => [check.uuid, check]))
  const waitingFor = new Map(named.map(({ uuid, ...check }) => [uuid, check]))
  const uncreated: number[] = []
  const lock = (place: number, check: LockedCheck) => {
    locked.set(place, check)
    return 'locked' as const
  }
  const found = targets.map((target, place): Match => {
    if (typeof target === 'string') return target
    if (!isCheck(target)) {
      if (target.failure === 'not-found') return 'not-found'
      if (target.failure === 'later') uncreated.push(place)
      return lock(place, { checkId: null, projectId: target.projectId })
    }
    const check = loaded.get(target.uuid)
    if (check && !after.has(check.id)) return { check, created: target.created }
    const waiting = check ? toLocked(check) : waitingFor.get(target.uuid)
    return waiting === undefined ? 'not-found' : lock(place, waiting)
  })
  return { found, uncreated }
}

type SlugTarget = Extract<ArrivedPing['target'], { slug: string }>

/** The match of each target. Of the projects in which checks have to be created: those that are locked, for this transaction or another. */
interface Slugs {
  matches: ReadonlyMap<SlugTarget, SlugMatch>
  own: ReadonlySet<number>
  waiting: ReadonlySet<number>
}

/**
 * A check that has to be created: its project, the ping that asks for it first, and then its UUID, or why it has none. `later`: its turn
 * has not come; `not-found`: the account has too many.
 */
interface Creation {
  projectId: number
  slug: string
  place: number
  now: number
  uuid: string | null
  failure: 'locked' | 'later' | 'not-found'
}

type PingedCheck = { uuid: string; created: boolean }

function isCheck(target: PingedCheck | PingOutcome | Creation): target is PingedCheck {
  return typeof target !== 'string' && 'created' in target
}

/**
 * The match of each target. If a check has to be created, its project is locked first: another process that creates
 * the same check has then either created it, or waits and will find ours.
 */
async function matchSlugs(
  db: Db,
  pings: readonly ArrivedPing[],
  { earlier, whenLocked }: How,
): Promise<Slugs> {
  const after = new Set(earlier?.projects)
  const targets = pings.flatMap(({ target }) => ('slug' in target ? [target] : []))
  const matches = new Map<SlugTarget, SlugMatch>()
  const match = async (some: SlugTarget[]) => {
    if (some.length === 0) return
    for (const [index, match] of (await db.dialect.findBySlug(some)).entries())
      matches.set(some[index]!, match)
  }
  await match(targets)
  const own = new Set<number>()
  const toCreate = targets.filter(target => {
    const { projectId, uuids } = matches.get(target)!
    if (!target.create || projectId === null || uuids.length > 0 || after.has(projectId)) return false
    own.add(projectId)
    return true
  })
  const waiting = await lockProjects(db, [...own], whenLocked)
  for (const projectId of waiting) own.delete(projectId)
  await match(toCreate)
  return { matches, own, waiting }
}

/** The checks that have to be created, by {@link keyOf} their targets, in the order of the pings. */
function creationsOf(pings: readonly ArrivedPing[], { matches, waiting }: Slugs): Map<string, Creation> {
  const creations = new Map<string, Creation>()
  for (const [place, { target, arrivedAt: now }] of pings.entries()) {
    if ('uuid' in target || !target.create || target.slug.length > 100) continue
    const { projectId, uuids } = matches.get(target)!
    const key = keyOf(target)
    if (projectId === null || uuids.length > 0 || creations.has(key)) continue
    const failure = waiting.has(projectId) ? 'locked' : 'later'
    creations.set(key, { projectId, slug: target.slug, place, now, uuid: null, failure })
  }
  return creations
}

/** Creates as many of them as a batch may, in order. Those that there is no room for do not count. */
async function createAll(
  db: Db,
  creations: ReadonlyMap<string, Creation>,
  { own }: Pick<Slugs, 'own'>,
): Promise<void> {
  const free = [...creations.values()].filter(({ projectId }) => own.has(projectId))
  if (free.length === 0) return
  const channels =
    free.length * MOST_CHANNELS <= MOST.links
      ? new Map<number, number>()
      : await channelCounts(db, new Set(free.map(({ projectId }) => projectId)))
  const chosen = new Map<number, Creation[]>()
  let checks = 0
  let links = 0
  const rooms = new Map<number, number>()
  for (const one of free) {
    if (checks >= MOST.checks || links >= MOST.links) break
    const room = rooms.get(one.projectId) ?? (await roomForChecks(db, one.projectId))
    rooms.set(one.projectId, room - 1)
    if (room <= 0) {
      one.failure = 'not-found'
      continue
    }
    appendTo(chosen, one.projectId, one)
    checks++
    links += channels.get(one.projectId) ?? 0
  }
  for (const [projectId, some] of chosen) {
    const uuids = await autoProvision(db, projectId, some)
    for (const [place, one] of some.entries())
      Object.assign(one, { uuid: uuids[place] ?? null, failure: 'not-found' })
  }
}

/** The check that a ping by slug is about, or why there is none. */
function targetOf(
  target: SlugTarget,
  place: number,
  { matches }: Slugs,
  creations: ReadonlyMap<string, Creation>,
): PingedCheck | PingOutcome | Creation {
  const { projectId, uuids } = matches.get(target)!
  if (uuids.length > 1) return 'ambiguous'
  if (uuids.length === 1) return { uuid: uuids[0]!, created: false }
  const creation = creations.get(keyOf(target))
  if (creation && creation.place <= place) {
    return creation.uuid === null ? creation : { uuid: creation.uuid, created: creation.place === place }
  }
  return projectId !== null && target.create && target.slug.length > 100 ? 'invalid-url' : 'not-found'
}

function keyOf({ pingKey, slug }: SlugTarget): string {
  return `${pingKey} ${slug}`
}
