import type { ArrivedPing, LockedCheck } from '../../core/pings/arrived-ping.js'
import { FairShare } from '../../lib/fair/fair-share.js'
import type { WaitingCheck } from './hearing.js'
import type { Waiting } from './waiting-pings.js'

/** The maximum number of pings that may wait apart, of which a project has a fair share. */
const LIMIT = 10_000

/** The pings of a check, or of a slug that has none yet, in the order in which they came. */
export interface Lane {
  check: LockedCheck
  /** Whose places and turns it takes. */
  readonly projectId: number
  waiting: Waiting[]
  /** Whether it waits in line, or its pings are being recorded since its turn came. */
  isInLine: boolean
  /** Whether it waits to be tried in its project's turn. */
  waitsForTurn: boolean
  /** Whether some of its pings are being tried while it is not in line. */
  isTried: boolean
  /** Whether it was ever put off because it causes many alerts, or creates a check, rather than because something is locked. */
  isLarge: boolean
  /** Whether it was put off for that when it was last tried: others were as much as one transaction may do. */
  isPassedOver: boolean
  /** Whether it may wait in line: not if it is large, and not any more once the database has failed. */
  mayStand: boolean
  /** How many of its pings are tried together: one after some were locked, and more each time that none was. */
  most: number
  /** What its pings name. */
  targets: Set<string>
}

/** The maximum number of pings of a lane that are tried together. */
export const BATCH_OF_LANE = 64

/** The pings that wait apart, in lanes. */
export class Lanes {
  /** By the check's ID, or the target. */
  readonly #lanes = new Map<number | string, Lane>()
  readonly #byTarget = new Map<string, Lane>()
  /** By project. */
  readonly #places = new FairShare<number>(LIMIT)
  /** Those that are being tried: they keep their places, even if their senders are answered. */
  readonly #tried = new Set<Waiting>()

  /** The number of pings. */
  get length(): number {
    return this.#places.taken
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0
  }

  [Symbol.iterator](): Iterator<Lane> {
    return this.#lanes.values()
  }

  /** The checks, and when the oldest ping of each arrived (ms). */
  oldest(): WaitingCheck[] {
    return [...this].flatMap(({ check: { checkId, projectId }, waiting }) =>
      checkId !== null && waiting.length > 0
        ? [{ checkId, projectId, at: Math.min(...waiting.map(arrivalOf)) }]
        : [],
    )
  }

  /** Those that match and were not refused, with their checks. */
  find(matches: (waiting: Waiting) => boolean): { waiting: Waiting; check: LockedCheck }[] {
    return [...this].flatMap(({ check, waiting }) =>
      waiting.filter(one => !one.refused && matches(one)).map(one => ({ waiting: one, check })),
    )
  }

  /** The lane with pings that name what this one names, or that are of this check. */
  laneOf(ping: ArrivedPing, check?: LockedCheck): Lane | undefined {
    return check ? this.#lanes.get(check.checkId ?? nameOf(ping)) : this.#byTarget.get(nameOf(ping))
  }

  /** Adds an empty lane for pings of a check, of which this is the first. */
  addLane(ping: ArrivedPing, check: LockedCheck, how: Pick<Lane, 'isLarge' | 'mayStand' | 'most'>): Lane {
    const states = { isInLine: false, waitsForTurn: false, isTried: false, isPassedOver: false }
    const { projectId } = check
    const lane: Lane = { check, projectId, waiting: [], ...states, targets: new Set(), ...how }
    this.#lanes.set(check.checkId ?? nameOf(ping), lane)
    return lane
  }

  /** Notes which check a ping is about that was not created yet when it was added. */
  learn(ping: ArrivedPing, check: LockedCheck): void {
    const name = nameOf(ping)
    const lane = this.#byTarget.get(name)
    if (!lane || lane.check.checkId !== null || check.checkId === null || this.#lanes.has(check.checkId))
      return
    this.#lanes.delete(name)
    this.#lanes.set(check.checkId, Object.assign(lane, { check }))
  }

  /** Whether one more ping of a project may wait. */
  hasPlace(projectId: number): boolean {
    return this.#places.hasPlace(projectId)
  }

  /** Adds a ping, for which there has to be a place. */
  add(lane: Lane, { pings, since, resolve, reject, putOff }: Waiting): void {
    const entry: Waiting = {
      pings,
      since,
      resolve: outcomes => {
        this.#leave(lane, entry)
        resolve(outcomes)
      },
      reject: error => {
        entry.refused = true
        if (!this.#tried.has(entry)) this.#leave(lane, entry)
        reject(error)
      },
    }
    const name = nameOf(pings[0]!)
    lane.waiting.splice(this.#placeFor(entry, lane), 0, entry)
    lane.targets.add(name)
    this.#byTarget.set(name, lane)
    this.#places.take(lane.projectId)
    putOff?.()
  }

  /** The next pings of a lane, `most` at most, which are tried until {@link wasTried} is called. */
  tryNext(lane: Lane, most = lane.most): Waiting[] {
    const some = lane.waiting.filter(({ refused }) => !refused).slice(0, most)
    for (const one of some) this.#tried.add(one)
    return some
  }

  /** Those that were refused meanwhile leave. Returns whether the first of them still waits, because it is locked. */
  wasTried(lane: Lane, tried: ReadonlySet<Waiting>): boolean {
    for (const entry of tried) {
      this.#tried.delete(entry)
      if (entry.refused) this.#leave(lane, entry)
    }
    const [next] = lane.waiting
    const areLocked = next !== undefined && tried.has(next)
    lane.most = areLocked ? 1 : Math.min(2 * lane.most, BATCH_OF_LANE)
    return areLocked
  }

  /** A lane in line keeps its place, for pings that come before its turn. */
  endIfEmpty(lane: Lane): void {
    if (lane.waiting.length > 0 || lane.isInLine) return
    for (const key of [lane.check.checkId, ...lane.targets]) {
      if (key !== null && this.#lanes.get(key) === lane) this.#lanes.delete(key)
    }
    for (const target of lane.targets) if (this.#byTarget.get(target) === lane) this.#byTarget.delete(target)
  }

  /**
   * Behind those that came before it and those that are being tried: it may name its check in another way than those behind it, and
   * have been tried meanwhile.
   */
  #placeFor({ since }: Waiting, { waiting }: Lane): number {
    let place = waiting.length
    while (place > 0 && waiting[place - 1]!.since > since && !this.#tried.has(waiting[place - 1]!)) place--
    return place
  }

  #leave(lane: Lane, entry: Waiting): void {
    const place = lane.waiting.indexOf(entry)
    if (place < 0) return
    lane.waiting.splice(place, 1)
    this.#places.giveBack(lane.projectId)
    this.endIfEmpty(lane)
  }
}

function arrivalOf({ pings }: Waiting): number {
  return pings[0]!.arrivedAt
}

/** What a ping names, as a text. */
function nameOf({ target }: ArrivedPing): string {
  return 'uuid' in target ? target.uuid : `${target.pingKey} ${target.slug}`
}
