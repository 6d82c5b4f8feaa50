import { Refusal } from '../../core/errors.js'
import { NAG_SECONDS, REPORTS } from '../../core/reports/report.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Sets which reports and reminders a person gets by e-mail; both values are as a form sends them. Throws a
 * `Refusal` for unknown values.
 */
export async function setReportWishes(
  store: StoreWith<'reports.setWishes'>,
  userUuid: string,
  given: { reports: string; nags: string },
): Promise<void> {
  const reports = REPORTS.find(known => known === given.reports)
  if (!reports) throw new Refusal('invalid', `reports are one of: ${REPORTS.join(', ')}`, 'reports')
  const nagSeconds = NAG_SECONDS.find(known => String(known) === given.nags)
  if (nagSeconds === undefined) {
    throw new Refusal('invalid', `reminders are one of: ${NAG_SECONDS.join(', ')}`, 'nags')
  }
  await store.reports.setWishes(userUuid, { reports, nagSeconds })
}
