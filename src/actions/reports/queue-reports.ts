/** Makes the reports and reminders that are due and puts them where mails wait. Each is made once; see storage. */
import { nextReportAt } from '../../core/reports/report.js'
import type { Addressee } from '../../storage/reports/reports.js'
import { composeNag } from './compose-nag.js'
import { composeReport } from './compose-report.js'
import type { ReportDeps } from './report-deps.js'

/** People taken on at once. */
const SLICE = 50

/** How long a person is left alone whose report cannot be made. */
const POSTPONE_MS = 3_600_000

/** Queues what is due at `now`. */
export async function queueReports(deps: ReportDeps, now: number): Promise<void> {
  await each(deps, 'dueReports', now, addressee => queueReport(deps, addressee, now))
  await each(deps, 'dueNags', now, addressee => queueNag(deps, addressee, now))
}

/** One person whose mail cannot be made must not keep it from the others. */
async function each(
  deps: ReportDeps,
  due: 'dueReports' | 'dueNags',
  now: number,
  queue: (addressee: Addressee) => Promise<void>,
): Promise<void> {
  for (;;) {
    const addressees = await deps.store.reports[due](now, SLICE)
    for (const addressee of addressees) {
      try {
        await queue(addressee)
      } catch (error) {
        deps.onError(error)
        const postponed = { addressee, next: now + POSTPONE_MS, mail: null, now }
        await deps.store.reports[due === 'dueReports' ? 'queueReport' : 'queueNag'](postponed)
      }
    }
    if (addressees.length < SLICE) return
  }
}

async function queueReport(deps: ReportDeps, addressee: Addressee, now: number): Promise<void> {
  const { reports, timezone, userUuid, dueAt } = addressee
  const next = nextReportAt(reports, timezone, now, Number.parseInt(userUuid.slice(0, 8), 16))
  // A report that nobody planned is not due, only planned.
  const mail = dueAt === null ? null : await composeReport(deps, addressee, now)
  await deps.store.reports.queueReport({ addressee, next, mail, now })
}

async function queueNag(deps: ReportDeps, addressee: Addressee, now: number): Promise<void> {
  const { down, mail } = await composeNag(deps, addressee, now)
  const next = down === 0 ? null : now + addressee.nagSeconds * 1_000
  await deps.store.reports.queueNag({ addressee, next, mail, now })
}
