/** Ends the holds of dependencies: makes alerts due that a check no longer holds. Decision 0115. */

import { appendTo } from '../lib/append-to.js'
import type { Clock } from '../lib/clock.js'
import { FairQueue } from '../lib/fair/fair-queue.js'
import { chunks } from '../storage/chunks.js'
import { isLocked } from '../storage/errors.js'
import type { Ended, ParentState, Release } from '../storage/incidents/release-dependants.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

export interface DependenciesDeps {
  store: StoreWith<
    'incidents.ended' | 'incidents.releaseDependants' | 'incidents.someDependant' | 'incidents.parentStates'
  >
  clock: Clock
  onError(error: unknown): void
}

/** How many checks one release is about. */
const CHECKS_AT_ONCE = 100

/**
 * Looks once a second for incidents that have ended and, while a dependency holds something, for pings of the checks on
 * which others depend. Projects take turns of one transaction each. Each process does so; what is made due twice is planned twice.
 */
export function dependenciesJob({ store: { incidents }, clock, onError }: DependenciesDeps) {
  let stopped = false
  /**
   * What was last seen of each check on which others depend, of the projects of which something is held. Lost at a restart, which
   * then looks at all of them.
   */
  let seen = new Map<number, string>()
  const turns = new FairQueue()
  /** The turns of projects of which another transaction had locked something when they were last tried. */
  const turnsOfLocked = new FairQueue()
  const locked = new Set<number>()
  /** What is being released, by project. */
  const underWay = new Map<number, Promise<void>>()
  const loop = new Loop(look, clock, onError)

  async function look(): Promise<null> {
    const ended = byProject(await incidents.ended(clock.now(), [...underWay.keys()]))
    const parents = byProject(await changedParents())
    for (const projectId of new Set([...ended.keys(), ...parents.keys()])) {
      if (!underWay.has(projectId)) start(projectId, ended.get(projectId) ?? [], parents.get(projectId) ?? [])
    }
    return null
  }

  /** The parents that are not down and pinged, or changed their state, since their dependants were looked at. */
  async function changedParents(): Promise<ParentState[]> {
    const states = (await incidents.someDependant()) ? await incidents.parentStates() : []
    const before = seen
    seen = new Map()
    return states.filter(parent => {
      const last = before.get(parent.id)
      const isSeen = last === stateOf(parent) || parent.status === 'down'
      if (isSeen) seen.set(parent.id, stateOf(parent))
      else if (last !== undefined) seen.set(parent.id, last)
      return !isSeen
    })
  }

  function start(projectId: number, ended: Ended[], parents: ParentState[]): void {
    const releasing = release(projectId, ended, parents)
      .catch(onError)
      .finally(() => underWay.delete(projectId))
    underWay.set(projectId, releasing)
  }

  /** If another transaction has locked something of the project, the rest waits for the next look. */
  async function release(projectId: number, ended: Ended[], parents: ParentState[]): Promise<void> {
    try {
      for (const some of chunks(ended, CHECKS_AT_ONCE)) {
        const checkIds = some.map(({ checkId }) => checkId)
        await inTurns({ projectId, checkIds, ended: some, onlyWaiting: false })
      }
      for (const onlyWaiting of [true, false]) {
        // A check that is up ended waits by its ping; one that is new or paused holds nothing at all.
        const these = parents.filter(({ status }) => (status === 'up') === onlyWaiting)
        for (const some of chunks(these, CHECKS_AT_ONCE)) {
          await inTurns({ projectId, checkIds: some.map(({ id }) => id), ended: [], onlyWaiting })
          for (const parent of some) seen.set(parent.id, stateOf(parent))
        }
      }
      locked.delete(projectId)
    } catch (error) {
      if (!isLocked(error)) throw error
      locked.add(projectId)
    }
  }

  /** Makes what is released due, a slice in each turn of the project. */
  async function inTurns(released: Release): Promise<void> {
    const queue = locked.has(released.projectId) ? turnsOfLocked : turns
    const slice = (after: number) => async () =>
      stopped ? null : (await incidents.releaseDependants(released, after, clock.now())).next
    for (let after: number | null = 0; after !== null; )
      after = await queue.run(released.projectId, slice(after))
  }

  return {
    start() {
      stopped = false
      loop.start()
    },
    async stop() {
      stopped = true
      await loop.stop()
      await Promise.all(underWay.values())
    },
  }
}

function byProject<T extends { projectId: number }>(rows: readonly T[]): Map<number, T[]> {
  const lists = new Map<number, T[]>()
  for (const row of rows) appendTo(lists, row.projectId, row)
  return lists
}

function stateOf({ status, lastPing }: ParentState): string {
  return `${status} ${lastPing}`
}
