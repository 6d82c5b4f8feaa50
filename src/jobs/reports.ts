import { type QueueReportsDeps, queueReports } from '../actions/reports/queue-reports.js'
import type { Clock } from '../lib/clock.js'
import { mayBeOneRow } from '../storage/errors.js'
import { type Failed, SetAside } from '../storage/set-aside.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

export interface ReportsDeps extends Omit<QueueReportsDeps, 'aside'> {
  store: QueueReportsDeps['store'] &
    StoreWith<'reports.planNags' | 'reports.unplannedNags' | 'reports.nextWork'>
  clock: Clock
  /** Called when no report or reminder can be planned or queued for a person, for a row that cannot be written or read. */
  onSetAside(failed: Failed): void
}

/** How often to plan reminders, and the first reports of new people. */
const PLAN_EVERY_MS = 60_000

/** Queues reports and reminders when they are due. Another loop sends them, for which the e-mails of others do not wait. */
export function reportsJob(deps: ReportsDeps) {
  const abort = new AbortController()
  const aside = new SetAside('user', deps.onSetAside)
  const loop = new Loop(look, deps.clock, deps.onError)
  let plannedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<number | null> {
    const now = deps.clock.now()
    const isPlanDue = Math.abs(now - plannedAt) >= PLAN_EVERY_MS
    if (isPlanDue) {
      await planNags(now)
      plannedAt = now
    } else {
      const next = await deps.store.reports.nextWork()
      if (next === null || next > now) return next
    }
    await queueReports({ ...deps, aside }, now, abort.signal)
    const next = await deps.store.reports.nextWork()
    // What is still due is tried again after a second.
    return next !== null && next > now ? next : null
  }

  /** If this fails as a whole, what is planned already is sent nevertheless. */
  async function planNags(now: number): Promise<void> {
    try {
      await aside.pass(
        except => deps.store.reports.unplannedNags(except),
        among => deps.store.reports.planNags(now, among),
      )
    } catch (error) {
      if (!mayBeOneRow(error)) throw error
      deps.onError(error)
    }
  }

  return {
    /** The number of people whose reports and reminders wait. */
    setAside: () => aside.ids.length,
    start: () => loop.start(),
    /** Starts a pass now. */
    wake: () => loop.wake(),
    /** Waits for the report that is being composed; those that are left are still due. */
    async stop() {
      abort.abort()
      await loop.stop()
    },
  }
}
