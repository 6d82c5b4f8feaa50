import type { PingQueue } from '../actions/pings/record-pings.js'
import { settleArrived } from '../actions/pings/settle-arrived.js'
import { BEAT_INTERVAL_MS, SHORT_BEAT_INTERVAL_MS } from '../core/instance/beats.js'
import type { Outage } from '../core/instance/outage.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { BeatFacts } from '../storage/instance/beat.js'
import { checkInPart, partOfCheck } from '../storage/instance/parts.js'
import type { StoreWith } from '../storage/store.js'
import { wakeUps } from './wake-ups.js'

export interface BeatDeps {
  store: StoreWith<'instance.beat' | 'instance.wakeAfterCut' | 'pings.lockedChecks' | 'pings.probe'>
  pings: Pick<PingQueue, 'hearing' | 'settled'>
  changes: Changes
  clock: Clock
  process: string
  /** Whether this process watches for silence itself; if not, another process waits for its beats. */
  watches: boolean
  onOutage(outage: Outage): void
  onError(error: unknown): void
}

/** How often to check whether a beat is due and whether pings can be recorded again. */
const LOOK_EVERY_MS = 1_000

/**
 * Stores every few seconds that this process accepts pings and until when it has recorded them; the same transaction
 * stores the times in which it could not. See decision 0104.
 */
export function beatJob({ store, pings, changes, clock, process, watches, onOutage, onError }: BeatDeps) {
  const { hearing } = pings
  const { missed } = hearing
  let timer: NodeJS.Timeout | null = null
  let beating: Promise<void> = Promise.resolve()
  let waiting = false
  let stopListening = () => {}
  const wakes = wakeUps({ store, clock, onError })
  let intervalMs = SHORT_BEAT_INTERVAL_MS
  let lastAt = Number.NEGATIVE_INFINITY
  let holdUntil = Number.NEGATIVE_INFINITY
  /** The parts of the checks for which it is being found out whether their pings can be recorded again. */
  const probed = new Map<string, Promise<void>>()

  async function beat(phase?: BeatFacts['phase']): Promise<void> {
    // After a freeze, however short, pings that came in time are still to be read: they are not heard yet.
    if (phase === undefined) await settleArrived(pings)
    const now = clock.now()
    missed.follow(now)
    const over = missed.over()
    const { doubt, setBacks } = missed
    const noted = doubt ? [...over, doubt] : over
    const facts: BeatFacts = {
      missed: over,
      heardUntil: hearing.heardUntil(now, noted),
      behind: hearing.behind(noted),
      doubt,
      phase: phase ?? (doubt ? 'starting' : undefined),
      setBacks,
    }
    const { outages, others, doubt: left, cut } = await store.instance.beat(process, now, facts)
    missed.stored(over, setBacks)
    missed.doubt = left
    lastAt = now
    holdUntil = Math.max(holdUntil, ...outages.map(outage => outage.holdUntil))
    // During a hold and just after it, beats are frequent, so that little is in doubt if the process is killed then.
    const isCalm = now - holdUntil > BEAT_INTERVAL_MS
    intervalMs = watches && !others && isCalm ? BEAT_INTERVAL_MS : SHORT_BEAT_INTERVAL_MS
    outages.forEach(onOutage)
    wakes.follow(cut)
  }

  /** Finds out whether pings can be recorded again, even if nobody sends one. */
  async function probe(): Promise<void> {
    const at = clock.now()
    await store.pings.probe(at)
    if (missed.committed(at)) changes.emit('trouble', {})
  }

  /** As `probe`, of the parts whose pings fail: apart from beats, because the answer may take long. */
  function probeParts(): void {
    const at = clock.now()
    const recovered = (parts: readonly string[]) => {
      if (missed.recovered(parts, at)) changes.emit('trouble', {})
    }
    const lookAt = (name: string, work: () => Promise<void>) => {
      if (probed.has(name)) return
      // If it fails, pings are refused still.
      const answer = work().catch(() => {})
      probed.set(
        name,
        answer.finally(() => probed.delete(name)),
      )
    }
    const parts = missed.failingParts
    const checks = parts.flatMap(part => checkInPart(part) ?? [])
    for (const part of parts) {
      if (checkInPart(part) === null)
        lookAt(part, async () => {
          await store.pings.probe(at, part)
          recovered([part])
        })
    }
    if (checks.length > 0)
      lookAt('', async () => {
        const locked = new Set(await store.pings.lockedChecks(checks))
        recovered(checks.filter(id => !locked.has(id)).map(partOfCheck))
      })
  }

  async function beatAndProbe(phase?: BeatFacts['phase']): Promise<void> {
    const at = clock.now()
    try {
      await beat(phase)
      if (missed.isFailing) await probe()
    } catch (error) {
      // If the database refuses a beat it also refuses pings, unless it has just recorded one.
      if (!missed.hasRecorded(at)) missed.failed(at, clock.now())
      onError(error)
    }
  }

  function next(phase?: BeatFacts['phase']): void {
    // One waiting beat is enough, however long the current one takes.
    if (waiting && !phase) return
    waiting = true
    beating = beating.then(() => {
      waiting = false
      return beatAndProbe(phase)
    })
  }

  function look(): void {
    const now = clock.now()
    missed.follow(now)
    missed.awake(now)
    probeParts()
    const isDue = Math.abs(now - lastAt) > intervalMs - LOOK_EVERY_MS / 2
    if (isDue || missed.since() !== null || missed.failingParts.length > 0) next()
  }

  return {
    /**
     * Starts, unless it has started. Resolves after the first beat: an outage before it is then stored, or
     * holds deadlines until it is.
     */
    async start() {
      if (timer) return
      await beat('starting')
      timer = setInterval(look, LOOK_EVERY_MS)
      stopListening = changes.on('trouble', () => next())
    },
    /** Stores a last beat, if it has started. */
    async stop() {
      if (timer === null) return
      clearInterval(timer)
      stopListening()
      missed.end(clock.now())
      next('stopping')
      await Promise.all([beating, ...probed.values()])
      await wakes.done()
    },
  }
}
