import type { ArrivedPing, LockedCheck, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { Waiting } from './waiting-pings.js'

/** The maximum number of pings in one transaction, of those that of one check, and the maximum that may wait. */
const BATCH = 512
const BATCH_OF_CHECK = 64
const LIMIT = 5_000

/** The pause (ms) before they are tried again, and the longest one while all are locked still. */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 320

/** The pings of a check, or of a slug that has none yet, in the order in which they came. */
interface Lane {
  checkId: number | null
  /** The newest event of the check (ms) when the first of them was put off. */
  newestAt: number
  waiting: Waiting[]
  /** Whether one of its pings was recorded when it was tried last, so that more are tried next. */
  isFree: boolean
  /** What its pings name. */
  targets: Set<string>
}

/**
 * The pings that wait because another transaction has locked what they change: apart from others, which go on, and in
 * order. They are tried again after a short pause, the checks in turn.
 */
export class LockedPings {
  /** By the check's ID, or the target. The first is tried first. */
  readonly #lanes = new Map<number | string, Lane>()
  readonly #byTarget = new Map<string, Lane>()
  #length = 0
  /** Those that are being tried: they keep their places, even if their senders are answered. */
  #tried: readonly Waiting[] = []
  #timer: NodeJS.Timeout | null = null
  #pauseMs = FIRST_PAUSE_MS

  constructor(
    /** Records pings, and leaves those that are still locked. Never rejects. */
    private readonly record: (batch: readonly Waiting[]) => Promise<void>,
    /** Called with a ping that is not taken, because too many wait. */
    private readonly refuse: (waiting: Waiting, checkId: number | null) => void,
  ) {}

  /** The number of pings. */
  get length(): number {
    return this.#length
  }

  /** The IDs of the checks whose pings wait. */
  checkIds(): number[] {
    return [...this.#lanes.values()].flatMap(({ checkId }) => checkId ?? [])
  }

  /** The arrival times (ms) of the oldest ping of each check, by the check's ID. */
  oldest(): Map<number, number> {
    const oldest = new Map<number, number>()
    for (const { checkId, waiting } of this.#lanes.values()) {
      if (checkId !== null) oldest.set(checkId, Math.min(...waiting.map(arrivalOf)))
    }
    return oldest
  }

  /** Adds the pings of a batch that name what earlier ones name that wait, and returns the others. */
  withoutFollowers(batch: readonly Waiting[]): readonly Waiting[] {
    if (this.#lanes.size === 0) return batch
    let mayFollow = true
    return batch.filter(waiting => {
      const [ping, ...others] = waiting.pings
      const lane = others.length === 0 && mayFollow ? this.#byTarget.get(nameOf(ping!)) : undefined
      if (lane) this.#addTo(lane, waiting)
      // What goes to the database may be of a check that waits under another name, and come back: those behind go there, too.
      else if (others.length > 0 || 'slug' in ping!.target) mayFollow = false
      return lane === undefined
    })
  }

  /** Notes which check a ping is about that was not created yet when it was added. */
  learn(waiting: Waiting, { id, newestAt }: LockedCheck): void {
    const name = nameOf(waiting.pings[0]!)
    const lane = this.#byTarget.get(name)
    if (!lane || lane.checkId !== null || id === null || this.#lanes.has(id)) return
    this.#lanes.delete(name)
    this.#lanes.set(id, Object.assign(lane, { checkId: id, newestAt }))
  }

  /** Adds a ping of this check. */
  add(waiting: Waiting, { id: checkId, newestAt }: LockedCheck): void {
    const key = checkId ?? nameOf(waiting.pings[0]!)
    let lane = this.#lanes.get(key)
    if (!lane && this.#length < LIMIT) {
      lane = { checkId, newestAt, waiting: [], isFree: false, targets: new Set() }
      this.#lanes.set(key, lane)
    }
    if (lane) this.#addTo(lane, waiting)
    else this.refuse(waiting, checkId)
  }

  /** Those that match and were not refused, with the IDs of their checks. */
  find(matches: (waiting: Waiting) => boolean): { waiting: Waiting; checkId: number | null }[] {
    return [...this.#lanes.values()].flatMap(({ checkId, waiting }) =>
      waiting.filter(one => !one.refused && matches(one)).map(one => ({ waiting: one, checkId })),
    )
  }

  #addTo(lane: Lane, waiting: Waiting): void {
    if (this.#length >= LIMIT) {
      this.refuse(waiting, lane.checkId)
      return
    }
    const { pings, since, resolve, reject, putOff } = waiting
    const name = nameOf(pings[0]!)
    const entry: Waiting = {
      pings: pings.map(ping => ({ ...ping, lockedAfter: lane.newestAt })),
      since,
      resolve: outcomes => {
        this.#leave(lane, entry)
        lane.isFree = true
        resolve(outcomes)
      },
      reject: error => {
        entry.refused = true
        if (!this.#tried.includes(entry)) this.#leave(lane, entry)
        reject(error)
      },
    }
    lane.waiting.push(entry)
    lane.targets.add(name)
    this.#byTarget.set(name, lane)
    this.#length++
    putOff?.()
    this.#timer ??= this.#tryAfter(FIRST_PAUSE_MS)
  }

  #leave(lane: Lane, entry: Waiting): void {
    const place = lane.waiting.indexOf(entry)
    if (place < 0) return
    lane.waiting.splice(place, 1)
    this.#length--
    if (lane.waiting.length > 0) return
    this.#lanes.delete(lane.checkId ?? nameOf(entry.pings[0]!))
    for (const target of lane.targets) if (this.#byTarget.get(target) === lane) this.#byTarget.delete(target)
  }

  #tryAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#tryAgain(), ms)
  }

  async #tryAgain(): Promise<void> {
    const before = this.#length
    this.#tried = this.#takeTurn()
    if (this.#tried.length > 0) await this.record(this.#tried)
    this.#tried = []
    for (const lane of [...this.#lanes.values()]) {
      for (const entry of lane.waiting.filter(({ refused }) => refused)) this.#leave(lane, entry)
    }
    this.#pauseMs = this.#length < before ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS)
    this.#timer = this.#length > 0 ? this.#tryAfter(this.#pauseMs) : null
  }

  /** The next batch. Its checks come last in the next turn. */
  #takeTurn(): Waiting[] {
    const batch: Waiting[] = []
    for (const [key, lane] of [...this.#lanes]) {
      const some = lane.waiting.slice(0, lane.isFree ? BATCH_OF_CHECK : 1)
      if (batch.length + some.length > BATCH) break
      lane.isFree = false
      batch.push(...some)
      this.#lanes.delete(key)
      this.#lanes.set(key, lane)
    }
    return batch
  }
}

/**
 * Each of the `locked` pings on its own, by their places in `waiting`, which is resolved when the last of them is. If one of
 * them is refused, the sender sends all again.
 */
export function apart(
  waiting: Waiting,
  outcomes: readonly (PingOutcome | 'locked' | 'refused')[],
): { waiting: Waiting; place: number }[] {
  if (waiting.pings.length === 1) return [{ waiting, place: 0 }]
  const known = [...outcomes]
  return outcomes.flatMap((outcome, place) => {
    if (outcome !== 'locked') return []
    const resolve = ([later]: PingOutcome[]) => {
      known[place] = later!
      if (!known.includes('locked')) waiting.resolve(known as PingOutcome[])
    }
    const one = { pings: [waiting.pings[place]!], since: waiting.since, resolve, reject: waiting.reject }
    return [{ waiting: { ...one, ...(waiting.putOff && { putOff: waiting.putOff }) }, place }]
  })
}

function arrivalOf({ pings }: Waiting): number {
  return pings[0]!.arrivedAt
}

/** What a ping names, as a text. */
function nameOf({ target }: ArrivedPing): string {
  return 'uuid' in target ? target.uuid : `${target.pingKey} ${target.slug}`
}
