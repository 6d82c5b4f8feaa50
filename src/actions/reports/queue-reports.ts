/**
 * Composes the reports and reminders that are due and queues them as e-mails. Each is queued once: see
 * storage/reports/reports.ts.
 */
import { nextReportAt } from '../../core/reports/report.js'
import type { Addressee } from '../../storage/reports/reports.js'
import type { SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'
import { composeNag } from './compose-nag.js'
import { type ComposeReportDeps, composeReport } from './compose-report.js'

export interface QueueReportsDeps extends ComposeReportDeps {
  store: ComposeReportDeps['store'] &
    StoreWith<'reports.dueReports' | 'reports.dueNags' | 'reports.queueReport' | 'reports.queueNag'>
  /** The people for whom nothing can be planned or queued, for a row that cannot be written or read. */
  aside: SetAside
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

/** Those set aside are left out, so that many of them do not keep the others from being found. */
async function each(
  deps: QueueReportsDeps,
  due: 'dueReports' | 'dueNags',
  now: number,
  signal: AbortSignal,
  queue: (addressee: Addressee) => Promise<void>,
): Promise<void> {
  const { store, aside, onError } = deps
  /** An e-mail that cannot be composed must not delay the others. */
  const queueOrPostpone = async (addressee: Addressee) => {
    try {
      await queue(addressee)
    } catch (error) {
      const postponed = { addressee, next: now + POSTPONE_MS, mail: null, now }
      await store.reports[due === 'dueReports' ? 'queueReport' : 'queueNag'](postponed)
      onError(error)
    }
  }
  for (;;) {
    const addressees = await store.reports[due](now, SLICE, aside.leftOut)
    for (const addressee of addressees) {
      if (signal.aborted) return
      await aside.tryAlone(addressee.userId, () => queueOrPostpone(addressee))
    }
    if (addressees.length < SLICE) return
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
