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

/** How often it is looked whether somebody is to be reminded, or a new person's first report to be planned. */
const PLAN_EVERY_MS = 60_000

/** How long a shutdown waits for a mail under way before it gives it back. */
const FINISH_MS = 4_000

/** Sends reports, reminders and whatever other e-mail waits for people. */
export function reportsJob(deps: ReportsDeps) {
  const abort = new AbortController()
  setMaxListeners(0, abort.signal)
  const loop = new Loop(look, deps.clock, deps.onError)
  let planned = Number.NEGATIVE_INFINITY

  async function look(): Promise<number | null> {
    const now = deps.clock.now()
    const plans = Math.abs(now - planned) >= PLAN_EVERY_MS
    if (plans) {
      await deps.store.reports.planNags(now)
      planned = now
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
    /** Looks now. */
    wake: () => loop.wake(),
    /** Waits a moment for what is under way, and gives back the rest. */
    async stop() {
      const cutOff = setTimeout(() => abort.abort(), FINISH_MS)
      await loop.stop()
      clearTimeout(cutOff)
      await deps.store.people.releaseMails(deps.worker, deps.clock.now()).catch(deps.onError)
    },
  }
}
