/**
 * What a check should be, derived from the specification alone, without any code of the product. Instants are
 * milliseconds UTC. Source: docs/behaviour.md, sections 2.1 to 2.5.
 */

/** The intervals of the schedules (s). Each is due, in UTC, at the multiples of its interval. */
export const STEPS: Record<string, number> = {
  '*/5 * * * *': 300,
  '0 * * * *': 3_600,
  '*:0/15': 900,
}

export type Shown = 'new' | 'up' | 'grace' | 'down' | 'paused'

export class CheckModel {
  name = ''
  slug = ''
  timeout = 86_400
  grace = 3_600
  schedule: string | null = null
  methods: '' | 'POST' = ''
  manualResume = false
  stored: 'new' | 'up' | 'down' | 'paused' = 'new'
  nPings = 0
  lastPing: number | null = null
  lastStart: number | null = null
  lastDuration: number | null = null
  #startRid: string | null = null
  /** Changes to up and down, oldest first. */
  flips: { at: number; up: 0 | 1 }[] = []

  constructor(
    readonly uuid: string,
    readonly uniqueKey: string,
    readonly owner: number,
  ) {}

  ping(asked: 'success' | 'start' | 'fail' | 'log', method: string, rid: string | null, now: number): void {
    this.nPings++
    if (asked === 'log' || (this.methods === 'POST' && method !== 'POST')) return
    if (this.stored === 'paused' && this.manualResume) return
    if (asked === 'start') {
      this.lastStart = now
      this.#startRid = rid
      if (this.stored === 'paused') this.stored = 'new'
      return
    }
    this.lastPing = now
    this.lastDuration = null
    if (this.lastStart !== null) {
      if (rid === this.#startRid) {
        this.lastDuration = now - this.lastStart
        this.lastStart = null
      } else if (asked === 'fail' || rid === null) {
        this.lastStart = null
      }
    }
    this.#become(asked === 'fail' ? 'down' : 'up', now)
  }

  pause(): void {
    this.stored = 'paused'
    this.lastStart = null
  }

  /** Returns false if the check is not paused. */
  resume(): boolean {
    if (this.stored !== 'paused') return false
    this.stored = 'new'
    this.lastPing = null
    this.lastStart = null
    return true
  }

  /** What the watcher does at `now`: silence becomes a flip, dated at the deadline. */
  watch(now: number): void {
    const start = this.#graceStart()
    if (start === null || start + this.grace * 1000 > now) return
    this.#become('down', Math.max(start + this.grace * 1000, this.lastPing ?? 0))
  }

  shown(now: number): Shown {
    const grace = this.grace * 1000
    if (this.lastStart !== null && now >= this.lastStart + grace) return 'down'
    const due = this.#due()
    if (due === null) return this.stored
    if (now >= due + grace) return 'down'
    return now >= due ? 'grace' : 'up'
  }

  nextPing(now: number): number | null {
    return this.shown(now) === 'down' ? null : this.#graceStart()
  }

  #due(): number | null {
    if (this.stored !== 'up' || this.lastPing === null) return null
    if (this.schedule === null) return this.lastPing + this.timeout * 1000
    const step = STEPS[this.schedule]! * 1000
    return Math.floor(Math.floor(this.lastPing / 1000) / (step / 1000)) * step + step
  }

  #graceStart(): number | null {
    const due = this.#due()
    const started = this.stored === 'down' ? null : this.lastStart
    if (due === null || started === null) return due ?? started
    return Math.min(due, started)
  }

  #become(status: 'up' | 'down', at: number): void {
    if (this.stored === status) return
    this.stored = status
    this.flips.push({ at, up: status === 'up' ? 1 : 0 })
  }
}
