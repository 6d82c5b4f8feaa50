/** Searches the outputs of pings for a text. Only so much is read for one search, and the result says how far it looked. */
import type { TimelinePing } from '../../core/checks/history/timeline.js'
import { Refusal } from '../../core/errors.js'
import { SHOWN_BYTES } from '../../core/pings/ping-log.js'
import { type Excerpt, finderOf } from '../../core/text/output/find-in-output.js'
import { FairQueue } from '../../lib/fair/fair-queue.js'
import type { CheckRef } from '../../storage/checks/find-check.js'
import type { ListedProject } from '../../storage/checks/list/list-items.js'
import type { SearchedCheck } from '../../storage/checks/search-checks.js'
import type { LoggedOutput } from '../../storage/pings/outputs/last-outputs.js'
import type { PingFilter } from '../../storage/pings/ping-page.js'
import type { StoreWith } from '../../storage/store.js'
import type { BodyStore } from './read-bodies.js'

/** The most that one search looks at. Source: docs/behaviour.md, section 9.5. */
const MOST_PINGS = 1_000
const MOST_CHECKS = 300
const MOST_BYTES = 10_000_000
const MOST_OBJECTS = 100
/** How long one search may take (ms); it ends after the part during which the time has passed. */
const MOST_MS = 2_000

/** What is read at once: other work goes on between the parts. */
const PART_OUTPUTS = 200
const PART_BYTES = 500_000
const OBJECTS_AT_ONCE = 8

/** One search at a time, so that many do not delay pings and pages; projects take turns. */
const searches = new FairQueue()

type Storage = StoreWith<
  'pings.listOutputs' | 'pings.findInOutputs' | 'pings.loggedPings' | 'pings.listLastOutputs'
>

interface Deps {
  store: Storage
  bodies: BodyStore | null
}

/** A ping whose output has the text, and where. */
export interface FoundPing {
  ping: TimelinePing
  excerpt: Excerpt
}

/** How far a search has looked. */
export interface Looked {
  /** The number of pings, and the oldest of them; null if there was none. */
  pings: number
  oldest: { n: number; at: number } | null
  /** How many of their outputs could not be read. */
  unread: number
}

export interface FoundPings extends Looked {
  found: FoundPing[]
  /** The number of the ping before which a further search begins; null if everything was looked at. */
  next: number | null
}

/**
 * The pings of a check, up to `limit`, whose outputs have the text, newest first. Throws a `Refusal` as `findCheck`. `requireAccess` is called when the
 * turn of the search comes, and rejects if the reader may not see the check any more.
 */
export async function searchLog(
  { store, bodies, requireAccess }: Deps & { requireAccess(): Promise<unknown> },
  projectId: number,
  ref: CheckRef,
  { text, ...filter }: PingFilter & { text: string },
  { before, limit }: { before: number | null; limit: number },
): Promise<FoundPings> {
  return await searches.run(projectId, async () => {
    await requireAccess()
    const place = { before, limit: MOST_PINGS }
    const { outputs, more } = await store.pings.listOutputs(projectId, ref, filter, place)
    const { hits, looked, unread } = await lookThrough({ store, bodies }, outputs, text, limit)
    const oldest = outputs[looked - 1] ?? null
    const excerpts = new Map(hits.map(({ output, excerpt }) => [output.n, excerpt]))
    const pings = await store.pings.loggedPings(projectId, ref, [...excerpts.keys()])
    return {
      found: pings.map(ping => ({ ping, excerpt: excerpts.get(ping.n)! })),
      ...{ pings: looked, oldest, unread },
      next: oldest && (more || looked < outputs.length) ? oldest.n : null,
    }
  })
}

/** A check whose last output has the text, and where. */
export interface FoundCheck {
  check: SearchedCheck
  output: LoggedOutput
  excerpt: Excerpt
}

export interface FoundLastOutputs {
  found: FoundCheck[]
  /** The number of checks whose last outputs were looked at, and of all that were pinged. */
  looked: number
  checks: number
  unread: number
}

/**
 * The checks of these projects whose last output has the text, in the order in which they are searched; see `lastOutputs`. `readable` is called
 * when the turn of the search comes, with the projects, and returns those that the reader may see then.
 */
export async function searchLastOutputs(
  {
    store,
    bodies,
    readable,
  }: Deps & { readable<P extends ListedProject>(projects: readonly P[]): Promise<P[]> },
  projects: readonly ListedProject[],
  { text, tags, limit }: { text: string; tags: readonly string[]; limit: number },
  now: number,
): Promise<FoundLastOutputs> {
  return await searches.run(projects[0]?.id ?? 0, async () => {
    const still = await readable(projects)
    const listed = await store.pings.listLastOutputs(still, { tags, most: MOST_CHECKS }, now)
    const outputs = listed.outputs.map(({ output }) => output)
    const { hits, looked, unread } = await lookThrough({ store, bodies }, outputs, text, limit)
    const checks = new Map(listed.outputs.map(({ check }) => [check.id, check]))
    return {
      found: hits.map(hit => ({ check: checks.get(hit.output.checkId)!, ...hit })),
      looked: looked < outputs.length ? looked : listed.asked,
      ...{ checks: listed.checks, unread },
    }
  })
}

interface Hit {
  output: LoggedOutput
  excerpt: Excerpt
}

/** Looks for the text in the outputs, in their order, until `limit` have it or too much was read. `looked`: at how many. */
async function lookThrough(
  { store, bodies }: Deps,
  outputs: readonly LoggedOutput[],
  text: string,
  limit: number,
): Promise<{ hits: Hit[]; looked: number; unread: number }> {
  const hits: Hit[] = []
  const until = performance.now() + MOST_MS
  let [looked, bytes, objects, unread] = [0, 0, 0, 0]
  while (looked < outputs.length && bytes < MOST_BYTES && objects < MOST_OBJECTS) {
    const part = partOf(outputs, looked)
    const filled = part.filter(({ size }) => size > 0)
    const places = await store.pings.findInOutputs(filled, text)
    const outside = filled.filter((_, index) => places[index] === 'outside').slice(0, MOST_OBJECTS - objects)
    const read = await findOutside(bodies, outside, text, until)
    for (const output of part) {
      const index = filled.indexOf(output)
      let excerpt = places[index] ?? null
      if (excerpt === 'outside') {
        if (objects === MOST_OBJECTS) return { hits, looked, unread }
        objects += 1
        const found = read.get(output)
        if (found === undefined) unread += 1
        excerpt = found ?? null
      }
      looked += 1
      bytes += Math.min(output.size, SHOWN_BYTES)
      if (excerpt) hits.push({ output, excerpt })
      if (hits.length === limit) return { hits, looked, unread }
    }
    if (performance.now() > until) break
  }
  return { hits, looked, unread }
}

/** The next outputs that are read together. */
function partOf(outputs: readonly LoggedOutput[], from: number): LoggedOutput[] {
  let [to, bytes] = [from, 0]
  while (to < outputs.length && to - from < PART_OUTPUTS && bytes < PART_BYTES) {
    bytes += Math.min(outputs[to]!.size, SHOWN_BYTES)
    to += 1
  }
  return outputs.slice(from, to)
}

/** Where outputs in object storage have the text; without those that could not be read. */
async function findOutside(
  bodies: BodyStore | null,
  outputs: readonly LoggedOutput[],
  text: string,
  until: number,
): Promise<Map<LoggedOutput, Excerpt | null>> {
  const find = finderOf(text)
  const found = new Map<LoggedOutput, Excerpt | null>()
  for (let at = 0; bodies && at < outputs.length && performance.now() < until; at += OBJECTS_AT_ONCE) {
    const some = outputs.slice(at, at + OBJECTS_AT_ONCE)
    const read = await Promise.all(
      some.map(({ checkUuid, n }) => bodies.read(checkUuid, n).catch(nullIfAway)),
    )
    for (const [index, body] of read.entries()) {
      if (body) found.set(some[index]!, find(new TextDecoder().decode(body.subarray(0, SHOWN_BYTES))))
    }
  }
  return found
}

function nullIfAway(error: unknown): null {
  if (error instanceof Refusal && error.code === 'unavailable') return null
  throw error
}
