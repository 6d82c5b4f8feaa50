import { NAG_SECONDS, REPORTS, type ReportFrequency } from '../../../../core/reports/report.js'
import { Button } from '../../../components/forms/button.js'
import { Select } from '../../../components/forms/field.js'
import { errorOf, type Problem } from '../../../components/forms/form-problem.js'
import { PostForm } from '../../../components/forms/post-form.js'
import type { PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  reports: ReportFrequency
  nagSeconds: number
  /** Whether the installation sends e-mail. */
  sendsMail: boolean
  problem: Problem | null
}

const REPORT_NAMES: Record<ReportFrequency, string> = {
  off: 'Never',
  daily: 'Every day',
  weekly: 'Every Monday',
  monthly: 'On the first of each month',
}

const NAG_NAMES: Record<number, string> = { 0: 'Never', 3600: 'Every hour', 86400: 'Every day' }

/** What the user is sent by e-mail besides alerts. */
export function ReportWishes({ page, reports, nagSeconds, sendsMail, problem }: Props) {
  return (
    <section class="section" id="reports">
      <h2>E-mail reports</h2>
      <p class="muted">
        {sendsMail
          ? 'A report summarises the runs and downtimes of all your projects. It is sent between 09:00 and 11:00 in your time zone.'
          : 'No reports are sent, because this installation cannot send e-mail. Ask your administrator to set EMAIL_HOST.'}
      </p>
      <PostForm page={page} action="/accounts/reports/" class="form after-table">
        <div class="form-row">
          <Select
            label="Report"
            name="reports"
            value={reports}
            options={REPORTS.map(value => ({ value, label: REPORT_NAMES[value] }))}
            error={errorOf(problem, 'reports')}
          />
          <Select
            label="Reminders"
            help="While checks are down"
            name="nags"
            value={String(nagSeconds)}
            options={NAG_SECONDS.map(value => ({ value: String(value), label: NAG_NAMES[value] ?? '' }))}
            error={errorOf(problem, 'nags')}
          />
        </div>
        <div class="form-end">
          <Button>Save</Button>
        </div>
      </PostForm>
    </section>
  )
}
