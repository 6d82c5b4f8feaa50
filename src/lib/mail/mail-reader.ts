/**
 * Parses e-mails in a separate thread, because anyone can send them: an e-mail crafted to parse slowly must not delay the
 * pings and pages that the event loop serves.
 */
import { Worker } from 'node:worker_threads'
import { RecentMap } from '../recent-map.js'
import type { MailTexts } from './mail-texts.js'

/** Too many e-mails are waiting to be parsed. */
export class MailReaderBusy extends Error {
  override readonly name = 'MailReaderBusy'
}

export interface MailReaderOptions {
  /** The time limit for parsing one e-mail. */
  limitMs?: number
  /** The maximum number of e-mails being parsed or waiting. */
  waiting?: number
  memoryMb?: number
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
  isWanted(): boolean
  resolve(texts: MailTexts | null): void
  reject(error: unknown): void
}

/** The maximum number of groups whose times are remembered. */
const REMEMBERED = 10_000

/** One thread, started on the first e-mail and stopped when idle. It does not keep the process alive. */
export class MailReader {
  readonly #limitMs: number
  readonly #maxWaiting: number
  readonly #memoryMb: number
  #worker: Worker | null = null
  #waiting: Waiting[] = []
  /** How much time (ms) each group has taken, counted from `#shared` where it had taken less. */
  readonly #taken = new RecentMap<string, number>(REMEMBERED)
  /** What the group had taken that had the last turn: nobody saves up turns. */
  #shared = 0
  #isReading = false
  #idle: NodeJS.Timeout | null = null

  constructor({ limitMs = 5_000, waiting = 100, memoryMb = 512 }: MailReaderOptions = {}) {
    this.#limitMs = limitMs
    this.#maxWaiting = waiting
    this.#memoryMb = memoryMb
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
      this.#waiting.push({ raw, turn, isWanted: () => !isLate && isWanted(), resolve, reject })
      if (withinMs !== undefined) {
        timer = setTimeout(() => {
          isLate = true
          resolve(null)
        }, withinMs)
      }
      if (!this.#isReading) void this.#readAll()
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
    return this.#waiting.length + (this.#isReading ? 1 : 0) >= this.#maxWaiting
  }

  #dropUnwanted(): void {
    const unwanted = this.#waiting.filter(one => !one.isWanted())
    this.#waiting = this.#waiting.filter(one => !unwanted.includes(one))
    for (const one of unwanted) one.resolve(null)
  }

  async #readAll(): Promise<void> {
    this.#isReading = true
    for (let one = this.#next(); one; one = this.#next()) {
      if (one.isWanted()) await this.#readFor(one)
      else one.resolve(null)
    }
    this.#isReading = false
    this.#stopWhenIdle()
  }

  /** The first waiting e-mail of the group that has taken the least time. */
  #next(): Waiting | undefined {
    const taken = ({ turn }: Waiting) => Math.max(this.#taken.get(turn) ?? 0, this.#shared)
    const least = Math.min(...this.#waiting.map(taken))
    const index = this.#waiting.findIndex(one => taken(one) === least)
    if (index === -1) return undefined
    this.#shared = least
    return this.#waiting.splice(index, 1)[0]
  }

  async #readFor({ raw, turn, resolve, reject }: Waiting): Promise<void> {
    // Starting the thread is nobody's time.
    await this.#thread()
    const begunAt = performance.now()
    await this.#readNow(raw).then(resolve, reject)
    this.#taken.set(turn, this.#shared + Math.max(1, performance.now() - begunAt))
  }

  async #readNow(raw: Uint8Array): Promise<MailTexts | null> {
    const worker = await this.#thread()
    return await new Promise(resolve => {
      const settle = (texts: MailTexts | null) => {
        clearTimeout(timer)
        worker.off('message', settle)
        worker.off('exit', onExit)
        resolve(texts)
      }
      const onExit = () => settle(null)
      const timer = setTimeout(() => void worker.terminate(), this.#limitMs)
      worker.once('message', settle)
      worker.once('exit', onExit)
      worker.postMessage(raw)
    })
  }

  async #thread(): Promise<Worker> {
    if (this.#idle) clearTimeout(this.#idle)
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./mail-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb },
    })
    this.#worker = worker
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null
    })
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', reject)
    })
    // Later errors, such as out of memory, are followed by an exit, which is handled.
    worker.on('error', () => {})
    worker.unref()
    return worker
  }

  #stopWhenIdle(): void {
    if (!this.#worker) return
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#worker?.terminate(), IDLE_MS)
    this.#idle.unref()
  }
}

const IDLE_MS = 30_000

/** This process's reader for pings by e-mail. */
export const mailReader = new MailReader()

/** The reader for alerts and pages, which show what the last e-mail said. They must not delay pings. */
export const shownMailReader = new MailReader({ limitMs: 1_000 })

/** The reader for bounces, which are small and must not delay pings. */
export const bounceReader = new MailReader({ limitMs: 2_000, waiting: 4, memoryMb: 128 })
