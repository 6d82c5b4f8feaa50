import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { LedgerEntry } from './ledger.js'

const PROCESS = fileURLToPath(new URL('./load-process.js', import.meta.url))

/** The time limit for an expected answer. */
const TIME_LIMIT_MS = 60_000

/** Pings that another process sends until it is stopped, and the answers to them. */
export class Load {
  readonly entries: LedgerEntry[] = []
  readonly #process: ChildProcess
  readonly #read: Promise<void>

  constructor(asked: { site: string; checks: string[]; clients: number; load: number; pauseMs: number }) {
    this.#process = spawn(process.execPath, [PROCESS, JSON.stringify(asked)], {
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#read = this.#readAll()
  }

  async #readAll(): Promise<void> {
    for await (const line of createInterface({ input: this.#process.stdout! }))
      this.entries.push(JSON.parse(line))
  }

  /** Resolves with the first entry after this call for which `wanted` is true. */
  async next(wanted: (entry: LedgerEntry) => boolean): Promise<LedgerEntry> {
    const since = performance.now()
    for (let from = this.entries.length; ; ) {
      const found = this.entries.slice(from).find(wanted)
      if (found) return found
      from = this.entries.length
      if (this.#process.exitCode !== null) throw new Error('the load has ended')
      if (performance.now() - since > TIME_LIMIT_MS) {
        throw new Error(`waited in vain for an answer; the last was ${JSON.stringify(this.entries.at(-1))}`)
      }
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }

  /** Resolves when `more` further pings were acknowledged. */
  async acknowledged(more: number): Promise<void> {
    let seen = this.entries.length
    for (let count = 0; count < more; ) {
      await this.next(entry => entry.status === 200)
      count += this.entries.slice(seen).filter(entry => entry.status === 200).length
      seen = this.entries.length
    }
  }

  /** Ends the load, after the outstanding answers. */
  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit')
      this.#process.kill('SIGTERM')
      await ended
    }
    await this.#read
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }
}
