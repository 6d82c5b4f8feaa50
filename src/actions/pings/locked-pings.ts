import type { ArrivedPing, CheckOfProject, PingOutcome } from '../../core/pings/arrived-ping.js'
import { MOST_IN_LINE } from '../../storage/locks.js'
import type { WaitingCheck } from './hearing.js'
import type { Waiting } from './waiting-pings.js'

/** The maximum number of pings in one transaction, of those that of one check, and the maximum that may wait. */
const BATCH = 512
const BATCH_OF_CHECK = 64
const LIMIT = 5_000

/** The pause (ms) before those that wait are tried again, and the longest one while all are locked still. */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 320

/** The pings of a check, or of a slug that has none yet, in the order in which they came. */
interface Lane {
  check: CheckOfProject | null
  waiting: Waiting[]
  /** Whether it waits in line, or its pings are being recorded since its turn came. */
  isInLine: boolean
  /** Whether some of its pings are being tried while it is not. */
  isTried: boolean
  /** Whether it may wait in line: not if it is large, and not any more once the database has failed. */
  mayStand: boolean
  /** How many of its pings are tried together: one after some were locked, and more each time that none was. */
  most: number
  /** What its pings name. */
  targets: Set<string>
}

/** What came of waiting in line: `locked`: something they need is locked still; `failed`: the database failed, or refused some. */
export type InLine = 'recorded' | 'locked' | 'failed'

/** What is done with pings that are locked. */
interface Recorder {
  /**
   * Records what `take` returns when nobody else has locked the check, after those who waited for that before. If the transaction is
   * repeated, `take` is called again. Never rejects.
   */
  recordInLine(checkId: number, take: () => readonly Waiting[]): Promise<InLine>
  /** Records pings, and leaves those that are still locked. Never rejects. */
  record(batch: readonly Waiting[]): Promise<void>
  /** Called with a ping that is not taken, because too many wait. */
  refuse(waiting: Waiting, check: CheckOfProject | null): void
}

/**
 * The pings that wait because another transaction has locked what they change, or because they cause more alerts than one transaction may
 * add: apart from others, which go on, and in order. The first few checks wait in line in the database, where other processes wait for them too: so processes take turns in the order in which
 * they stood in line, whatever their clocks say. The others are tried again after a short pause, the checks in turn. Decision 0040.
 */
export class LockedPings {
  /** By the check's ID, or the target. The first is tried first. */
  readonly #lanes = new Map<number | string, Lane>()
  readonly #byTarget = new Map<string, Lane>()
  #length = 0
  #inLine = 0
  /** Those that are being tried: they keep their places, even if their senders are answered. */
  readonly #tried = new Set<Waiting>()
  #timer: NodeJS.Timeout | null = null
  #pauseMs = FIRST_PAUSE_MS

  constructor(private readonly recorder: Recorder) {}

  /** The number of pings. */
  get length(): number {
    return this.#length
  }

  /** The IDs of the checks whose pings wait. */
  checkIds(): number[] {
    return [...this.#lanes.values()].flatMap(({ check }) => check?.checkId ?? [])
  }

  /** The checks, and when the oldest ping of each arrived (ms). */
  oldest(): WaitingCheck[] {
    return [...this.#lanes.values()].flatMap(({ check, waiting }) =>
      check !== null && waiting.length > 0 ? [{ ...check, at: Math.min(...waiting.map(arrivalOf)) }] : [],
    )
  }

  /** Adds the pings of a batch that name what earlier ones name that wait, and returns the others. */
  withoutFollowers(batch: readonly Waiting[]): readonly Waiting[] {
    if (this.#lanes.size === 0) return batch
    return batch.filter(waiting => {
      const [ping, ...others] = waiting.pings
      // An e-mail may have to be read first, which the database knows.
      const isPlain = others.length === 0 && ping!.mail !== null
      const lane = isPlain ? this.#byTarget.get(nameOf(ping!)) : undefined
      if (lane) this.#addTo(lane, waiting)
      return lane === undefined
    })
  }

  /** Notes which check a ping is about that was not created yet when it was added. */
  learn(waiting: Waiting, check: CheckOfProject | null): void {
    const name = nameOf(waiting.pings[0]!)
    const lane = this.#byTarget.get(name)
    if (!lane || lane.check !== null || check === null || this.#lanes.has(check.checkId)) return
    this.#lanes.delete(name)
    this.#lanes.set(check.checkId, Object.assign(lane, { check }))
  }

  /** Adds a ping of this check. `isLarge`: nothing is locked, so that it need not wait in line. */
  add(waiting: Waiting, check: CheckOfProject | null, isLarge: boolean): void {
    const key = check?.checkId ?? nameOf(waiting.pings[0]!)
    let lane = this.#lanes.get(key)
    if (!lane && this.#length < LIMIT) {
      lane = {
        check,
        waiting: [],
        isInLine: false,
        isTried: false,
        mayStand: !isLarge,
        // If it cannot wait in line, it is still locked.
        most: check !== null && !isLarge && this.#inLine < MOST_IN_LINE ? BATCH_OF_CHECK : 1,
        targets: new Set(),
      }
      this.#lanes.set(key, lane)
    }
    if (lane) this.#addTo(lane, waiting)
    else this.recorder.refuse(waiting, check)
  }

  /** Those that match and were not refused, with their checks. */
  find(matches: (waiting: Waiting) => boolean): { waiting: Waiting; check: CheckOfProject | null }[] {
    return [...this.#lanes.values()].flatMap(({ check, waiting }) =>
      waiting.filter(one => !one.refused && matches(one)).map(one => ({ waiting: one, check })),
    )
  }

  #addTo(lane: Lane, waiting: Waiting): void {
    if (this.#length >= LIMIT) {
      this.recorder.refuse(waiting, lane.check)
      return
    }
    const { pings, since, resolve, reject, putOff } = waiting
    const name = nameOf(pings[0]!)
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
    lane.waiting.splice(this.#placeFor(entry, lane), 0, entry)
    lane.targets.add(name)
    this.#byTarget.set(name, lane)
    this.#length++
    putOff?.()
    this.#standInLine(lane)
    this.#timer ??= this.#tryAfter(FIRST_PAUSE_MS)
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
    this.#length--
    this.#endIfEmpty(lane)
  }

  /** A lane in line keeps its place, for pings that come before its turn. */
  #endIfEmpty(lane: Lane): void {
    if (lane.waiting.length > 0 || lane.isInLine) return
    for (const key of [lane.check?.checkId, ...lane.targets]) {
      if (key !== undefined && this.#lanes.get(key) === lane) this.#lanes.delete(key)
    }
    for (const target of lane.targets) if (this.#byTarget.get(target) === lane) this.#byTarget.delete(target)
  }

  /** Lets the pings of a lane wait in line, if it has a check and few do. */
  #standInLine(lane: Lane): boolean {
    const { check } = lane
    if (lane.isInLine) return true
    if (lane.isTried || !lane.mayStand || check === null || this.#inLine === MOST_IN_LINE) return false
    lane.isInLine = true
    this.#inLine++
    const leaveLine = () => {
      lane.isInLine = false
      this.#inLine--
      this.#endIfEmpty(lane)
    }
    void this.#recordInLine(lane, check.checkId).then(leaveLine)
    return true
  }

  async #recordInLine(lane: Lane, checkId: number): Promise<void> {
    for (let outcome: InLine = 'recorded'; outcome === 'recorded' && lane.waiting.length > 0; ) {
      const tried = new Set<Waiting>()
      outcome = await this.recorder.recordInLine(checkId, () => {
        const some = lane.waiting.filter(({ refused }) => !refused).slice(0, lane.most)
        for (const one of some) {
          tried.add(one)
          this.#tried.add(one)
        }
        return some
      })
      this.#wasTried(lane, tried)
      if (outcome === 'failed') lane.mayStand = false
    }
  }

  /** Those that were refused meanwhile leave. */
  #wasTried(lane: Lane, tried: ReadonlySet<Waiting>): void {
    for (const entry of tried) {
      this.#tried.delete(entry)
      if (entry.refused) this.#leave(lane, entry)
    }
    const [next] = lane.waiting
    const areLocked = next !== undefined && tried.has(next)
    lane.most = areLocked ? 1 : Math.min(2 * lane.most, BATCH_OF_CHECK)
  }

  #tryAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#tryAgain(), ms)
  }

  async #tryAgain(): Promise<void> {
    const before = this.#length
    const lanes = this.#takeTurn()
    const batch = [...lanes.values()].flat()
    for (const one of batch) this.#tried.add(one)
    if (batch.length > 0) await this.recorder.record(batch)
    for (const [lane, tried] of lanes) {
      lane.isTried = false
      this.#wasTried(lane, new Set(tried))
    }
    this.#pauseMs = this.#length < before ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS)
    this.#timer = this.#length > 0 ? this.#tryAfter(this.#pauseMs) : null
  }

  /** The next batch, of those that cannot wait in line. Its checks come last in the next turn. */
  #takeTurn(): Map<Lane, Waiting[]> {
    const taken = new Map<Lane, Waiting[]>()
    let size = 0
    for (const [key, lane] of [...this.#lanes]) {
      if (this.#standInLine(lane)) continue
      const some = lane.waiting.slice(0, lane.most)
      if (size + some.length > BATCH) break
      size += some.length
      lane.isTried = true
      taken.set(lane, some)
      this.#lanes.delete(key)
      this.#lanes.set(key, lane)
    }
    return taken
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
