/** The reminder of checks that are still down. Source: docs/behaviour.md, section 2.8. */
import { checkLabel } from '../../core/alerts/alert.js'
import { projectLabel } from '../../core/projects/project-label.js'
import { SILENT_MS } from '../../core/reports/report.js'
import { plural } from '../../core/text/plural.js'
import { approximateWords, relativeWords } from '../../core/time/duration.js'
import type { QueuedMail } from '../../storage/people/mails.js'
import type { ReportedCheck, ReportedProject } from '../../storage/reports/report-facts.js'
import type { Addressee } from '../../storage/reports/reports.js'
import { type NagEmail, nagHtml, nagPlain } from '../../views/emails/nag.js'
import type { ComposeReportDeps } from './compose-report.js'
import { unsubscribeReportsPath } from './unsubscribe-reports.js'

const MOST_LISTED = 50
const SLICE = 1_000
/** How far back flips are read to tell since when a check has been down. */
const LOOK_BACK_MS = 94 * 86_400_000

/**
 * How many checks are down, and the reminder; null if none is down, all that are down are quiet, or none of the
 * person's checks pings any more.
 */
export type Nag = { down: number; mail: QueuedMail | null }

/** The reminder for a person at `now`. */
export async function composeNag(deps: ComposeReportDeps, addressee: Addressee, now: number): Promise<Nag> {
  const { projects, lastPing } = await deps.store.reports.reportedProjects(addressee.userId)
  const found = await Promise.all(
    projects.map(async project => ({ project, checks: await downOf(deps, project, now) })),
  )
  const down = countIn(found)
  // Quiet checks still count above: a reminder is due when they are not quiet any more.
  const affected = found
    .map(({ project, checks }) => ({ project, checks: checks.filter(({ isQuiet }) => !isQuiet) }))
    .filter(({ checks }) => checks.length > 0)
  const loud = countIn(affected)
  if (loud === 0 || lastPing === null || now - lastPing > SILENT_MS) return { down, mail: null }
  const unsubscribeUrl = deps.site.root + unsubscribeReportsPath(deps.secretKey, addressee)
  const props: NagEmail = {
    siteName: deps.site.name,
    siteRoot: deps.site.root,
    unsubscribeUrl,
    title: `Reminder: ${plural(loud, 'check')} still down`,
    projects: affected.map(({ project, checks }) => ({
      name: projectLabel(project),
      url: `${deps.site.root}/projects/${project.uuid}/checks/`,
      rows: checks.slice(0, MOST_LISTED).map(check => ({
        name: checkLabel(check),
        url: `${deps.site.root}/cloaked/${check.uniqueKey}/`,
        text: stateWords(check, now),
      })),
      rest: checks.length > MOST_LISTED ? `and ${checks.length - MOST_LISTED} more` : '',
    })),
  }
  const [text, html] = [nagPlain(props), nagHtml(props)]
  const tells = { projectIds: affected.map(({ project }) => project.id), need: 'read' as const }
  return { down, mail: { kind: 'nag', subject: props.title, text, html, unsubscribeUrl, tells } }
}

function countIn(found: readonly { checks: readonly ReportedCheck[] }[]): number {
  return found.reduce((total, { checks }) => total + checks.length, 0)
}

async function downOf(
  deps: ComposeReportDeps,
  project: ReportedProject,
  now: number,
): Promise<ReportedCheck[]> {
  const down: ReportedCheck[] = []
  for (let after = 0; ; ) {
    const query = { projectId: project.id, after, limit: SLICE, since: now - LOOK_BACK_MS, now }
    const { checks } = await deps.store.reports.reportedChecks(query)
    down.push(...checks.filter(({ isDown }) => isDown))
    if (checks.length < SLICE) return down
    after = checks.at(-1)!.id
  }
}

function stateWords({ flips, lastPing }: ReportedCheck, now: number): string {
  const lastFlip = flips.at(-1)
  const since =
    lastFlip?.newStatus === 'down' ? `down for ${approximateWords(now - lastFlip.createdAt)}, ` : ''
  return `${since}last ping: ${lastPing === null ? 'never' : relativeWords(lastPing, now)}`
}
