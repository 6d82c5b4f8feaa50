import { setMaxListeners } from 'node:events'
import { type SendMailsDeps, sendMails } from '../actions/people/mail/send-mails.js'
import { type QueueReportsDeps, queueReports } from '../actions/reports/queue-reports.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

export interface ReportsDeps extends QueueReportsDeps, SendMailsDeps {
  store: QueueReportsDeps['store'] &
    SendMailsDeps['store'] &
    StoreWith<'reports.planNags' | 'reports.nextWork' | 'people.releaseMails'>
  onError(error: unknown): void
}

/** How often to plan reminders, and the first reports of new people. */
const PLAN_EVERY_MS = 60_000

/** How long (ms) a shutdown waits for an e-mail under way before it releases it. */
const FINISH_MS = 4_000

/** Sends reports, reminders and other queued e-mails. */
export function reportsJob(deps: ReportsDeps) {
  const abort = new AbortController()
  setMaxListeners(0, abort.signal)
  const loop = new Loop(look, deps.clock, deps.onError)
  let plannedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<number | null> {
    const now = deps.clock.now()
    const isPlanDue = Math.abs(now - plannedAt) >= PLAN_EVERY_MS
    if (isPlanDue) {
      await deps.store.reports.planNags(now)
      plannedAt = now
    } else {
      const next = await deps.store.reports.nextWork(now)
      if (next === null || next > now) return next
    }
    await queueReports(deps, now)
    await sendMails(deps, abort.signal)
    return await deps.store.reports.nextWork(deps.clock.now())
  }

  return {
    start: () => loop.start(),
    /** Starts a pass now. */
    wake: () => loop.wake(),
    /** Waits a moment for e-mails under way, and releases the rest. */
    async stop() {
      const cutOff = setTimeout(() => abort.abort(), FINISH_MS)
      await loop.stop()
      clearTimeout(cutOff)
      await deps.store.people.releaseMails(deps.worker, deps.clock.now()).catch(deps.onError)
    },
  }
}
