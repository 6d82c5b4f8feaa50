/**
 * Parses e-mails in threads of their own, because anyone can send them: an e-mail crafted to parse slowly must not delay
 * the pings and pages that the event loop serves, nor other e-mails.
 */
import { RecentMap } from '../recent-map.js'
import type { MailTexts } from './mail-texts.js'
import { ParsingThread } from './parsing-thread.js'

/** Too many e-mails are waiting to be parsed. */
export class MailReaderBusy extends Error {
  override readonly name = 'MailReaderBusy'
}

export interface MailReaderOptions {
  /** The time limit for parsing one e-mail. Time in which the process was frozen does not count. */
  limitMs?: number
  /** One that takes longer is slow: such are parsed one at a time beside the others. */
  slowAfterMs?: number
  /** The maximum number of e-mails being parsed or waiting. */
  waiting?: number
  memoryMb?: number
  /** How long a thread is kept that parses nothing. */
  idleMs?: number
}

export interface ReadOptions {
  /** The group of the e-mail: groups are parsed in turn. */
  turn?: string
  isWanted?: () => boolean
  /** How long to wait for the texts, including the time for e-mails that are parsed first. */
  withinMs?: number
}

interface Waiting {
  raw: Uint8Array
  turn: string
  /** Whether it was found to be slow. */
  isSlow: boolean
  isWanted(): boolean
  resolve(texts: MailTexts | null): void
  reject(error: unknown): void
}

/** The ticks of the time limit. */
const TICKS = 10

/** The maximum number of groups whose times are remembered. */
const REMEMBERED = 10_000

/** How much time (ms) a group has taken, counted from `#shared` where it had taken less, and its last turn. */
interface Group {
  taken: number
  turn: number
}

/** An e-mail that is being parsed. */
interface Reading {
  turn: string
  thread: ParsingThread
  /** Since when its time is counted for its group (monotonic, ms). */
  countedFrom: number
  /** Whether it is parsed anew later, because another slow one is being parsed. */
  isPutOff: boolean
}

/** One thread, started on the first e-mail and stopped when idle; a second one while an e-mail is slow. */
export class MailReader {
  readonly #limitMs: number
  readonly #slowAfterMs: number
  readonly #maxWaiting: number
  readonly #memoryMb: number
  readonly #idleMs: number
  #waiting: Waiting[] = []
  #reading: Reading | null = null
  #slow: Reading | null = null
  /** The thread that parses nothing. */
  #spare: ParsingThread | null = null
  readonly #groups = new RecentMap<string, Group>(REMEMBERED)
  #turn = 0
  /** What the group had taken that had the last turn: nobody saves up turns. */
  #shared = 0
  #idle: NodeJS.Timeout | null = null

  constructor({
    limitMs = 5_000,
    slowAfterMs = 300,
    waiting = 100,
    memoryMb = 512,
    idleMs = 30_000,
  }: MailReaderOptions = {}) {
    this.#limitMs = limitMs
    this.#slowAfterMs = slowAfterMs
    this.#maxWaiting = waiting
    this.#memoryMb = memoryMb
    this.#idleMs = idleMs
  }

  /**
   * The texts of an e-mail, or null if parsing takes too much time or memory, if `withinMs` pass before, or if `isWanted`
   * is false when its turn comes. Rejects with `MailReaderBusy` if too many are waiting, most of all of the same `turn`.
   * Does not take over or change `raw`.
   */
  async read(raw: Uint8Array, options: ReadOptions = {}): Promise<MailTexts | null> {
    const { turn = '', isWanted = () => true, withinMs } = options
    if (this.#isFull()) this.#dropUnwanted()
    if (this.#isFull()) this.#refuseOne(turn)
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    const texts = new Promise<MailTexts | null>((resolve, reject) => {
      this.#waiting.push({ raw, turn, isSlow: false, isWanted: () => !isLate && isWanted(), resolve, reject })
      if (withinMs !== undefined) {
        timer = setTimeout(() => {
          isLate = true
          resolve(null)
        }, withinMs)
      }
      this.#readNext()
    })
    return await texts.finally(() => clearTimeout(timer))
  }

  /** Refuses the newest of those with the most waiting, so that nobody can keep the others out. */
  #refuseOne(turn: string): void {
    const counts = new Map([[turn, 1]])
    for (const one of this.#waiting) counts.set(one.turn, (counts.get(one.turn) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const busy = new MailReaderBusy('too many e-mails are waiting to be read')
    if (counts.get(turn) === most) throw busy
    const index = this.#waiting.findLastIndex(one => counts.get(one.turn) === most)
    const [refused] = this.#waiting.splice(index, 1)
    refused!.reject(busy)
  }

  #isFull(): boolean {
    return this.#waiting.length + (this.#reading ? 1 : 0) + (this.#slow ? 1 : 0) >= this.#maxWaiting
  }

  #dropUnwanted(): void {
    const unwanted = this.#waiting.filter(one => !one.isWanted())
    this.#waiting = this.#waiting.filter(one => !unwanted.includes(one))
    for (const one of unwanted) one.resolve(null)
  }

  #readNext(): void {
    while (!this.#reading) {
      const one = this.#next(false)
      if (!one) break
      void this.#read(one)
    }
    while (!this.#slow) {
      const one = this.#next(true)
      if (!one) break
      void this.#read(one)
    }
  }

  /**
   * The first waiting e-mail, among those that are slow or the others, of the group that has taken the least time; of several groups, the
   * one whose last turn was longest ago.
   */
  #next(isSlow: boolean): Waiting | undefined {
    for (;;) {
      let next: Waiting | undefined
      for (const one of this.#waiting) {
        if (one.isSlow === isSlow && (!next || this.#isBefore(one, next))) next = one
      }
      if (!next) return undefined
      this.#waiting = this.#waiting.filter(one => one !== next)
      if (!next.isWanted()) {
        next.resolve(null)
        continue
      }
      const group = this.#groupOf(next)
      this.#shared = group.taken
      this.#groups.set(next.turn, { ...group, turn: ++this.#turn })
      return next
    }
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    const [a, b] = [this.#groupOf(one), this.#groupOf(other)]
    return a.taken < b.taken || (a.taken === b.taken && a.turn < b.turn)
  }

  #groupOf({ turn }: { turn: string }): Group {
    const group = this.#groups.get(turn) ?? { taken: 0, turn: 0 }
    return { ...group, taken: Math.max(group.taken, this.#shared) }
  }

  async #read(waiting: Waiting): Promise<void> {
    const { raw, turn, isSlow, resolve, reject } = waiting
    const thread = this.#takeThread()
    const reading: Reading = { turn, thread, countedFrom: performance.now(), isPutOff: false }
    if (isSlow) this.#slow = reading
    else this.#reading = reading
    const timers: NodeJS.Timeout[] = []
    try {
      // Starting the thread is nobody's time.
      await thread.started
      reading.countedFrom = performance.now()
      if (!isSlow) timers.push(setTimeout(() => this.#makeRoom(reading), this.#slowAfterMs))
      timers.push(this.#limit(thread))
      const texts = await thread.parse(raw)
      if (reading.isPutOff) this.#waiting.push({ ...waiting, isSlow: true })
      else resolve(texts)
    } catch (error) {
      reject(error)
    }
    for (const timer of timers) clearTimeout(timer)
    this.#count(reading)
    if (this.#slow === reading) this.#slow = null
    if (this.#reading === reading) this.#reading = null
    this.#leave(thread)
    this.#readNext()
  }

  /** Ends a thread when its time is over, which is counted in ticks: while the process is frozen there is none. */
  #limit(thread: ParsingThread): NodeJS.Timeout {
    let left = TICKS
    return setInterval(() => {
      left--
      if (left === 0) thread.end()
    }, this.#limitMs / TICKS)
  }

  /** An e-mail that is slow is parsed on beside the next ones, or waits for another slow one. */
  #makeRoom(reading: Reading): void {
    this.#count(reading)
    this.#reading = null
    if (this.#slow) {
      reading.isPutOff = true
      reading.thread.end()
    } else this.#slow = reading
    this.#readNext()
  }

  #count(reading: Reading): void {
    const { countedFrom } = reading
    reading.countedFrom = performance.now()
    const group = this.#groupOf(reading)
    const taken = group.taken + Math.max(1, reading.countedFrom - countedFrom)
    this.#groups.set(reading.turn, { ...group, taken })
  }

  #takeThread(): ParsingThread {
    if (this.#idle) clearTimeout(this.#idle)
    const spare = this.#spare?.hasEnded === false ? this.#spare : null
    this.#spare = null
    return spare ?? new ParsingThread(this.#memoryMb)
  }

  /** Keeps a thread for the next e-mail, for a while. */
  #leave(thread: ParsingThread): void {
    if (thread.hasEnded) return
    if (this.#spare) {
      thread.end()
      return
    }
    this.#spare = thread
    this.#idle = setTimeout(() => thread.end(), this.#idleMs)
    this.#idle.unref()
  }
}

/** This process's reader for pings by e-mail. */
export const mailReader = new MailReader()

/** The reader for alerts and pages, which show what the last e-mail said. They must not delay pings. */
export const shownMailReader = new MailReader({ limitMs: 1_000 })

/** The reader for bounces, which are small and must not delay pings. */
export const bounceReader = new MailReader({ limitMs: 2_000, waiting: 4, memoryMb: 128 })
