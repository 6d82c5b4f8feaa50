/** Finds the check of each ping of a batch, and creates those that `create=1` asks for. */
import type { ArrivedPing, CheckOfProject, PingOutcome } from '../../../core/pings/arrived-ping.js'
import { MOST_CHANNELS } from '../../../core/projects/most-channels.js'
import { appendTo } from '../../../lib/append-to.js'
import { channelCounts, MOST_DELIVERIES } from '../../channels/count-targets.js'
import { lockProjects } from '../../checks/checks.js'
import type { Db } from '../../db.js'
import type { LoadedCheck, SlugMatch } from '../../dialect.js'
import type { WhenLocked } from '../../locks.js'
import { autoProvision } from '../auto-provision.js'
import type { Match } from './ping-plan.js'

/** The checks of pings that are locked, by their places; null for one that is not created yet. */
export type LockedPlaces = Map<number, CheckOfProject | null>

export const toLocked = ({ id, projectId }: LoadedCheck): CheckOfProject => ({ checkId: id, projectId })

/** The most checks that a batch creates, and the most channels to which it links them. */
const MOST_CREATED = { checks: 32, links: MOST_DELIVERIES / 2 }

/**
 * The check of each ping, or why there is none. Creates the checks that `create=1` asks for. Adds those that are locked, and
 * those in `after`, to `locked`; so too those that are not created because they are too many, with their places in `uncreated`.
 */
export async function findChecks(
  db: Db,
  pings: readonly ArrivedPing[],
  { after, whenLocked }: { after: ReadonlySet<number>; whenLocked: WhenLocked },
  locked: LockedPlaces,
): Promise<{ found: Match[]; uncreated: number[] }> {
  const slugs = await matchSlugs(db, pings, whenLocked)
  const creations = creationsOf(pings, slugs)
  await createAll(db, creations, slugs.waiting)
  const targets = pings.map(({ target }, place) =>
    'uuid' in target ? { uuid: target.uuid, created: false } : targetOf(target, place, slugs, creations),
  )
  const uuids = new Set<string>()
  for (const target of targets) if (typeof target !== 'string') uuids.add(target.uuid)
  const { checks, locked: named } =
    whenLocked === 'skip'
      ? await db.dialect.loadUnlocked([...uuids])
      : { checks: await db.dialect.loadChecks([...uuids]), locked: [] }
  const loaded = new Map(checks.map(check => [check.uuid, check]))
  const waitingFor = new Map(named.map(({ uuid, ...check }) => [uuid, check]))
  const uncreated: number[] = []
  const lock = (place: number, check: CheckOfProject | null) => {
    locked.set(place, check)
    return 'locked' as const
  }
  const found = targets.map((target, place): Match => {
    if (target === 'too-many') uncreated.push(place)
    if (target === 'too-many' || target === 'locked') return lock(place, null)
    if (typeof target === 'string') return target
    const check = loaded.get(target.uuid)
    if (check && !after.has(check.id)) return { check, created: target.created }
    const waiting = check ? toLocked(check) : waitingFor.get(target.uuid)
    return waiting === undefined ? 'not-found' : lock(place, waiting)
  })
  return { found, uncreated }
}

type SlugTarget = Extract<ArrivedPing['target'], { slug: string }>

/** The match of each target. `waiting`: the projects that another transaction has locked, of those in which checks have to be created. */
interface Slugs {
  matches: ReadonlyMap<SlugTarget, SlugMatch>
  waiting: ReadonlySet<number>
}

/** A check that has to be created: its project, the ping that asks for it first, and then its UUID, or why it has none. */
interface Creation {
  projectId: number
  slug: string
  place: number
  now: number
  uuid: string | null
  failure: 'locked' | 'too-many' | 'not-found'
}

/**
 * The match of each target. If a check has to be created, its project is locked first: another process that creates
 * the same check has then either created it, or waits and will find ours.
 */
async function matchSlugs(db: Db, pings: readonly ArrivedPing[], whenLocked: WhenLocked): Promise<Slugs> {
  const targets = pings.flatMap(({ target }) => ('slug' in target ? [target] : []))
  const matches = new Map<SlugTarget, SlugMatch>()
  const match = async (some: SlugTarget[]) => {
    if (some.length === 0) return
    for (const [index, match] of (await db.dialect.findBySlug(some)).entries())
      matches.set(some[index]!, match)
  }
  await match(targets)
  const projects = new Set<number>()
  const toCreate = targets.filter(target => {
    const { projectId, uuids } = matches.get(target)!
    if (!target.create || projectId === null || uuids.length > 0) return false
    projects.add(projectId)
    return true
  })
  const waiting = await lockProjects(db, [...projects], whenLocked)
  await match(toCreate)
  return { matches, waiting }
}

/** The checks that have to be created, by {@link keyOf} their targets, in the order of the pings. */
function creationsOf(pings: readonly ArrivedPing[], { matches }: Slugs): Map<string, Creation> {
  const creations = new Map<string, Creation>()
  for (const [place, { target, arrivedAt: now }] of pings.entries()) {
    if ('uuid' in target || !target.create || target.slug.length > 100) continue
    const { projectId, uuids } = matches.get(target)!
    const key = keyOf(target)
    if (projectId === null || uuids.length > 0 || creations.has(key)) continue
    creations.set(key, { projectId, slug: target.slug, place, now, uuid: null, failure: 'locked' })
  }
  return creations
}

/** Creates as many of them as a batch may, in order, and says why it does not create the others. */
async function createAll(
  db: Db,
  creations: ReadonlyMap<string, Creation>,
  waiting: ReadonlySet<number>,
): Promise<void> {
  const free = [...creations.values()].filter(({ projectId }) => !waiting.has(projectId))
  if (free.length === 0) return
  const channels =
    free.length * MOST_CHANNELS <= MOST_CREATED.links
      ? new Map<number, number>()
      : await channelCounts(db, new Set(free.map(({ projectId }) => projectId)))
  const chosen = new Map<number, Creation[]>()
  let checks = 0
  let links = 0
  for (const one of free) {
    if (checks >= MOST_CREATED.checks || links >= MOST_CREATED.links) one.failure = 'too-many'
    else {
      appendTo(chosen, one.projectId, one)
      checks++
      links += channels.get(one.projectId) ?? 0
    }
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
): { uuid: string; created: boolean } | PingOutcome | Creation['failure'] {
  const { projectId, uuids } = matches.get(target)!
  if (uuids.length > 1) return 'ambiguous'
  if (uuids.length === 1) return { uuid: uuids[0]!, created: false }
  const creation = creations.get(keyOf(target))
  if (creation && creation.place <= place) {
    const { uuid, failure } = creation
    return uuid === null ? failure : { uuid, created: creation.place === place }
  }
  return projectId !== null && target.create && target.slug.length > 100 ? 'invalid-url' : 'not-found'
}

function keyOf({ pingKey, slug }: SlugTarget): string {
  return `${pingKey} ${slug}`
}
