/**
 * Composes the reports and reminders that are due and queues them as e-mails. Each is queued once: see
 * storage/reports/reports.ts.
 */
import { nextReportAt } from '../../core/reports/report.js'
import { mayBeOneRow } from '../../storage/errors.js'
import type { Addressee } from '../../storage/reports/reports.js'
import type { StoreWith } from '../../storage/store.js'
import { composeNag } from './compose-nag.js'
import { type ComposeReportDeps, composeReport } from './compose-report.js'

export interface QueueReportsDeps extends ComposeReportDeps {
  store: ComposeReportDeps['store'] &
    StoreWith<'reports.dueReports' | 'reports.dueNags' | 'reports.queueReport' | 'reports.queueNag'>
  onError(error: unknown): void
}

/** People handled per query. */
const SLICE = 50

/** The pause before another attempt, if a person's report cannot be composed. */
const POSTPONE_MS = 3_600_000

/** Queues the reports and reminders that are due at `now`, until `signal` aborts. */
export async function queueReports(deps: QueueReportsDeps, now: number, signal: AbortSignal): Promise<void> {
  await each(deps, 'dueReports', now, signal, addressee => queueReport(deps, addressee, now))
  await each(deps, 'dueNags', now, signal, addressee => queueNag(deps, addressee, now))
}

/** One e-mail that cannot be composed must not delay the others, nor must a person whose row cannot be written. */
async function each(
  deps: QueueReportsDeps,
  due: 'dueReports' | 'dueNags',
  now: number,
  signal: AbortSignal,
  queue: (addressee: Addressee) => Promise<void>,
): Promise<void> {
  for (;;) {
    const addressees = await deps.store.reports[due](now, SLICE)
    let left = 0
    for (const addressee of addressees) {
      if (signal.aborted) return
      try {
        await queue(addressee)
      } catch (error) {
        deps.onError(error)
        const { reports } = deps.store
        const postponed = { addressee, next: now + POSTPONE_MS, mail: null, now }
        await reports[due === 'dueReports' ? 'queueReport' : 'queueNag'](postponed).catch(reason => {
          if (!mayBeOneRow(reason)) throw reason
          left++
        })
      }
    }
    // Those that are left are due first again.
    if (addressees.length < SLICE || left === SLICE) return
  }
}

async function queueReport(deps: QueueReportsDeps, addressee: Addressee, now: number): Promise<void> {
  const { reports, timezone, userUuid, dueAt } = addressee
  const next = nextReportAt(reports, timezone, now, Number.parseInt(userUuid.slice(0, 8), 16))
  // A new person's first report is only planned now.
  const mail = dueAt === null ? null : await composeReport(deps, addressee, now)
  await deps.store.reports.queueReport({ addressee, next, mail, now })
}

async function queueNag(deps: QueueReportsDeps, addressee: Addressee, now: number): Promise<void> {
  const { down, mail } = await composeNag(deps, addressee, now)
  const next = down === 0 ? null : now + addressee.nagSeconds * 1_000
  await deps.store.reports.queueNag({ addressee, next, mail, now })
}
