import type { ArrivedPing, EarlierPings, LockedCheck } from '../../core/pings/arrived-ping.js'
import { MOST_CREATED } from '../../core/pings/most-created.js'
import { FairShare } from '../../lib/fair/fair-share.js'
import { TurnQueue } from '../../lib/fair/turn-queue.js'
import { MOST_IN_LINE } from '../../storage/locks.js'
import type { WaitingCheck } from './hearing.js'
import { BATCH_OF_LANE, type Lane, Lanes } from './lanes.js'
import { BATCH_BYTES, bytesOf, type Waiting } from './waiting-pings.js'

/** The maximum number of pings in one transaction. */
const BATCH = 512

/** Of those that cause many alerts: most of more would be put off again. */
const MOST_LARGE = 8

/**
 * The pause (ms) before those that wait are tried again, and the longest one while all are locked still. If some were recorded, it is no longer
 * than that took.
 */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 320

/** What the pings that are tried together wait for: that nobody has locked what they need, or that there is time for much work. */
type Reason = 'lock' | 'work'

/** What came of waiting in line: `locked`: something they need is locked still; `failed`: the database failed, or refused some. */
export type InLine = 'recorded' | 'locked' | 'failed'

/** What is done with pings that are locked. */
interface Recorder {
  /**
   * Records what `take` returns when nobody else has locked the check, after those who waited for that before. If the transaction is
   * repeated, `take` is called again. Never rejects.
   */
  recordInLine(checkId: number, take: () => readonly Waiting[]): Promise<InLine>
  /** Records pings, and leaves those that are still locked. `isLarge`: each causes much work. Never rejects. */
  record(batch: readonly Waiting[], isLarge: boolean): Promise<void>
  /** Called with a ping that is not taken, because too many wait. */
  refuse(waiting: Waiting, check: LockedCheck): void
}

/**
 * The pings that wait because another transaction has locked what they change, or because they cause more alerts than one transaction may
 * add, or create more checks: apart from others, which go on, and in order. A few checks wait in line in the database, where other processes wait for them too: so processes take turns in the order in which
 * they stood in line, whatever their clocks say. The others are tried again after a short pause, the projects in turn, and of each project the checks. Decision 0157.
 */
export class LockedPings {
  readonly #lanes = new Lanes()
  /** The lanes that wait to be tried, by project: those of checks, those that cause many alerts, and those whose checks are not created yet. */
  readonly #known = new TurnQueue<number, Lane>()
  readonly #large = new TurnQueue<number, Lane>()
  readonly #new = new TurnQueue<number, Lane>()
  /** The places in line, by project. */
  readonly #line = new FairShare<number>(MOST_IN_LINE)
  /** When they are tried again. */
  readonly #timers: Record<Reason, NodeJS.Timeout | null> = { lock: null, work: null }
  readonly #pauses: Record<Reason, number> = { lock: FIRST_PAUSE_MS, work: FIRST_PAUSE_MS }

  constructor(private readonly recorder: Recorder) {}

  /** The number of pings. */
  get length(): number {
    return this.#lanes.length
  }

  /** What they wait for. */
  waitedFor(): EarlierPings {
    const checks: number[] = []
    const projects = new Set<number>()
    for (const { check, projectId } of this.#lanes)
      if (check.checkId === null) projects.add(projectId)
      else checks.push(check.checkId)
    return { checks, projects: [...projects] }
  }

  /** See {@link Lanes.oldest}. */
  oldest(): WaitingCheck[] {
    return this.#lanes.oldest()
  }

  /** See {@link Lanes.find}. */
  find(matches: (waiting: Waiting) => boolean): { waiting: Waiting; check: LockedCheck }[] {
    return this.#lanes.find(matches)
  }

  /** Adds the pings of a batch that name what earlier ones name that wait, and returns the others. */
  withoutFollowers(batch: readonly Waiting[]): readonly Waiting[] {
    if (this.#lanes.isEmpty) return batch
    return batch.filter(waiting => {
      const [ping, ...others] = waiting.pings
      // An e-mail may have to be read first, which the database knows.
      const isPlain = others.length === 0 && ping!.mail !== null
      const lane = isPlain ? this.#lanes.laneOf(ping!) : undefined
      if (lane) this.#addTo(lane, waiting)
      return lane === undefined
    })
  }

  /** Notes that a ping that was tried was put off again, and its check; see {@link Lanes.learn}. */
  putOff(ping: ArrivedPing, check: LockedCheck, isLarge: boolean): void {
    this.#lanes.learn(ping, check)
    const lane = this.#lanes.laneOf(ping)
    if (!lane) return
    lane.isPassedOver = isLarge
    lane.isLarge ||= isLarge
  }

  /** Adds a ping of this check. `isLarge`: nothing is locked, so that it need not wait in line. */
  add(waiting: Waiting, check: LockedCheck, isLarge: boolean): void {
    const [ping] = waiting.pings
    const mayStand = !isLarge
    // If it cannot wait in line, it is still locked.
    const stands = check.checkId !== null && mayStand && this.#line.hasPlace(check.projectId)
    const how = { isLarge, mayStand, most: stands ? BATCH_OF_LANE : 1 }
    const known = this.#lanes.laneOf(ping!, check)
    if (known) this.#addTo(known, waiting)
    else if (this.#lanes.hasPlace(check.projectId))
      this.#addTo(this.#lanes.addLane(ping!, check, how), waiting)
    else this.recorder.refuse(waiting, check)
  }

  #addTo(lane: Lane, waiting: Waiting): void {
    if (!this.#lanes.hasPlace(lane.projectId)) {
      this.recorder.refuse(waiting, lane.check)
      return
    }
    this.#lanes.add(lane, waiting)
    if (!this.#standInLine(lane)) this.#waitForTurn(lane)
  }

  /** Lets a lane with pings wait for its turn, unless it does already. */
  #waitForTurn(lane: Lane): void {
    if (lane.isTried || lane.waitsForTurn || lane.waiting.length === 0) return
    lane.waitsForTurn = true
    const turns = this.#turnsOf(lane)
    turns.add(lane.projectId, lane)
    this.#tryInTime(turns === this.#known ? 'lock' : 'work')
  }

  /** Those that one transaction could not do beside others are the first of the next: else they might never be. */
  #putBack(lanes: readonly Lane[]): void {
    for (const turns of [this.#new, this.#large]) {
      const some = lanes.filter(lane => this.#turnsOf(lane) === turns)
      for (const lane of some) lane.waitsForTurn = true
      turns.putBack(some.map(lane => ({ key: lane.projectId, one: lane })))
    }
    if (lanes.length > 0) this.#tryInTime('work')
  }

  #turnsOf({ check, isLarge }: Lane): TurnQueue<number, Lane> {
    if (check.checkId === null) return this.#new
    return isLarge ? this.#large : this.#known
  }

  /** Lets the pings of a lane wait in line, if it has a check, and there is a place. Returns whether they do. */
  #standInLine(lane: Lane): boolean {
    const { projectId, isInLine, isTried, mayStand } = lane
    const { checkId } = lane.check
    if (isInLine) return true
    if (isTried || !mayStand || checkId === null || !this.#line.hasPlace(projectId)) return false
    lane.isInLine = true
    this.#line.take(projectId)
    const leaveLine = () => {
      lane.isInLine = false
      this.#line.giveBack(projectId)
      this.#lanes.endIfEmpty(lane)
      this.#waitForTurn(lane)
    }
    void this.#recordInLine(lane, checkId).then(leaveLine)
    return true
  }

  async #recordInLine(lane: Lane, checkId: number): Promise<void> {
    for (let outcome: InLine = 'recorded'; outcome === 'recorded' && lane.waiting.length > 0; ) {
      const tried = new Set<Waiting>()
      outcome = await this.recorder.recordInLine(checkId, () => {
        const some = this.#lanes.tryNext(lane)
        for (const one of some) tried.add(one)
        return some
      })
      this.#lanes.wasTried(lane, tried)
      if (outcome === 'failed') lane.mayStand = false
    }
  }

  #tryInTime(reason: Reason): void {
    this.#timers[reason] ??= this.#tryAfter(reason, FIRST_PAUSE_MS)
  }

  #tryAfter(reason: Reason, ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#tryAgain(reason), ms)
  }

  async #tryAgain(reason: Reason): Promise<void> {
    const begunAt = performance.now()
    let areLocked = true
    const lanes = this.#takeTurn(reason)
    const batch = [...lanes.values()].flat()
    if (batch.length > 0) await this.recorder.record(batch, reason === 'work')
    const passedOver: Lane[] = []
    for (const [lane, tried] of lanes) {
      lane.isTried = false
      const isLocked = this.#lanes.wasTried(lane, new Set(tried))
      areLocked = isLocked && areLocked
      if (isLocked && lane.isPassedOver) passedOver.push(lane)
      else this.#waitForTurn(lane)
    }
    this.#putBack(passedOver)
    const tookMs = performance.now() - begunAt
    const pauseMs = areLocked
      ? Math.min(2 * Math.max(this.#pauses[reason], FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
      : Math.min(tookMs, FIRST_PAUSE_MS)
    this.#pauses[reason] = pauseMs
    const areLeft = this.#queuesFor(reason).some(([turns]) => !turns.isEmpty)
    this.#timers[reason] = areLeft ? this.#tryAfter(reason, pauseMs) : null
  }

  /** The lanes that wait for a reason, and how many of their pings are tried together at most. */
  #queuesFor(reason: Reason): readonly (readonly [TurnQueue<number, Lane>, number])[] {
    if (reason === 'lock') return [[this.#known, BATCH]]
    return [
      [this.#new, MOST_CREATED],
      [this.#large, MOST_LARGE],
    ]
  }

  /** The next batch, of those that cannot wait in line. */
  #takeTurn(reason: Reason): Map<Lane, Waiting[]> {
    const taken = new Map<Lane, Waiting[]>()
    let size = 0
    let bytes = 0
    const take = (turns: TurnQueue<number, Lane>, most: number) => {
      const end = Math.min(size + most, BATCH)
      while (size < end && bytes < BATCH_BYTES) {
        const lane = turns.next()?.one
        if (!lane) return
        lane.waitsForTurn = false
        if (lane.waiting.length === 0 || this.#standInLine(lane)) continue
        const some = this.#lanes.tryNext(lane, Math.min(lane.most, end - size))
        lane.isTried = true
        lane.isPassedOver = false
        taken.set(lane, some)
        size += some.length
        for (const { pings } of some) bytes += bytesOf(pings)
      }
    }
    for (const [turns, most] of this.#queuesFor(reason)) take(turns, most)
    return taken
  }
}
