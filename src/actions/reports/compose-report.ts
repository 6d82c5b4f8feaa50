/** The report about a person's checks. Source: docs/behaviour.md, sections 2.8 and 2.9. */
import { checkLabel, type Site } from '../../core/alerts/alert.js'
import { type Uptime, uptimeWithin } from '../../core/checks/history/uptime.js'
import { projectLabel } from '../../core/projects/project-label.js'
import {
  type ReportFrequency,
  type ReportPeriod,
  reportPeriod,
  SILENT_MS,
} from '../../core/reports/report.js'
import { plural } from '../../core/text/plural.js'
import { approximateWords } from '../../core/time/duration.js'
import { integrationOf } from '../../integrations/index.js'
import { channelTrouble } from '../../integrations/text/channel-notice.js'
import type { QueuedMail } from '../../storage/people/mails.js'
import type { ReportedCheck, ReportedProject, RunCount } from '../../storage/reports/report-facts.js'
import type { Addressee } from '../../storage/reports/reports.js'
import type { StoreWith } from '../../storage/store.js'
import { type ReportEmail, type ReportProject, reportHtml, reportPlain } from '../../views/emails/report.js'
import { unsubscribeReportsPath } from './unsubscribe-reports.js'

export interface ComposeReportDeps {
  store: StoreWith<
    'reports.reportedProjects' | 'reports.reportedChecks' | 'reports.runCounts' | 'reports.troubledChannels'
  >
  site: Site
  secretKey: string
}

/**
 * The maximum number of checks and of channels listed per project, of checks read per query, and of checks whose runs are counted per
 * query.
 */
const MOST_LISTED = 50
const SLICE = 1_000
const COUNTED = 10

const NAMES: Record<ReportFrequency, string> = {
  off: '',
  daily: 'Daily Report',
  weekly: 'Weekly Report',
  monthly: 'Monthly Report',
}

interface Row {
  check: ReportedCheck
  uptime: Uptime
  /** Of the period before; null if the check did not exist then. */
  before: Uptime | null
}

/** The report for a person at `now`, or null if there is nothing to report. */
export async function composeReport(
  deps: ComposeReportDeps,
  addressee: Addressee,
  now: number,
): Promise<QueuedMail | null> {
  const { reports, userId, timezone } = addressee
  if (reports === 'off') return null
  const { projects, lastPing } = await deps.store.reports.reportedProjects(userId)
  if (lastPing === null || now - lastPing > SILENT_MS) return null
  const period = reportPeriod(reports, timezone, now)
  // The period that was over when this one began.
  const before = reportPeriod(reports, timezone, period.from)
  const found = await Promise.all(
    projects.map(project => composeProject(deps, project, { period, before }, now)),
  )
  const filled = found.filter(project => project !== null)
  if (filled.length === 0) return null
  const unsubscribeUrl = deps.site.root + unsubscribeReportsPath(deps.secretKey, addressee)
  const checks = sum(filled.map(project => project.checks))
  const total = totalOf(filled.map(project => project.total))
  const totalBefore = totalOf(filled.map(project => project.before))
  const props: ReportEmail = {
    siteName: deps.site.name,
    siteRoot: deps.site.root,
    unsubscribeUrl,
    title: `${NAMES[reports]}: ${period.title}`,
    summary: summaryOf(checks, total, { title: before.title, total: totalBefore }),
    note: filled.every(project => project.complete)
      ? ''
      : 'A + means that there were more runs than the log still holds.',
    projects: filled.map(project => project.shown),
  }
  return {
    kind: 'report',
    subject: props.title,
    text: reportPlain(props),
    html: reportHtml(props),
    unsubscribeUrl,
    tells: { projectIds: filled.map(({ id }) => id), need: 'read' },
  }
}

/** The period of the report, and the one before, with which it is compared. */
interface Periods {
  period: ReportPeriod
  before: ReportPeriod
}

interface Composed {
  /** The project's. */
  id: number
  shown: ReportProject
  checks: number
  /** Of all checks: in the period, and in the one before. */
  total: Total
  before: Total
  /** Whether every run of the checks shown was counted. */
  complete: boolean
}

/** A project's part of the report; null if it had no checks in the period. */
async function composeProject(
  deps: ComposeReportDeps,
  project: ReportedProject,
  { period, before }: Periods,
  now: number,
): Promise<Composed | null> {
  const rows = await rowsOf(deps, project, { period, before }, now)
  if (rows.length === 0) return null
  rows.sort(byDowntime)
  const listed = rows.slice(0, MOST_LISTED)
  const runs = await runsOf(deps, listed, period)
  const rest = rows.slice(MOST_LISTED)
  const shown: ReportProject = {
    name: projectLabel(project),
    url: `${deps.site.root}/projects/${project.uuid}/checks/`,
    rows: listed.map(row => shownRow(deps, row, runs.get(row.check.id)!)),
    rest: restWords(rest),
    troubles: await troublesOf(deps, project, now),
  }
  return {
    id: project.id,
    shown,
    checks: rows.length,
    total: totalOf(rows.map(({ uptime }) => toTotal(uptime))),
    before: totalOf(rows.map(row => toTotal(row.before))),
    complete: [...runs.values()].every(({ complete }) => complete),
  }
}

async function rowsOf(
  deps: ComposeReportDeps,
  project: ReportedProject,
  { period, before }: Periods,
  now: number,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = 0; ; ) {
    const query = { projectId: project.id, after, limit: SLICE, since: before.from, now }
    const { checks } = await deps.store.reports.reportedChecks(query)
    for (const check of checks) {
      const past = { check, flips: check.flips, outages: check.outages }
      const uptime = uptimeWithin(past, period, now)
      if (uptime) rows.push({ check, uptime, before: uptimeWithin(past, before, now) })
    }
    if (checks.length < SLICE) return rows
    after = checks.at(-1)!.id
  }
}

/** The channels of a project that deliver nothing, each in a line. */
async function troublesOf(
  { store }: ComposeReportDeps,
  project: ReportedProject,
  now: number,
): Promise<string[]> {
  const channels = await store.reports.troubledChannels(project.id, now)
  const lines = channels.slice(0, MOST_LISTED).flatMap(channel => {
    const integration = integrationOf(channel.kind)
    return integration ? [`${channelTrouble(channel, integration, channel.trouble)}.`] : []
  })
  return channels.length > MOST_LISTED ? [...lines, `and ${channels.length - MOST_LISTED} more`] : lines
}

/** Checks that are down come first, then those that were down longest. */
function byDowntime(a: Row, b: Row): number {
  return (
    Number(b.check.isDown) - Number(a.check.isDown) ||
    b.uptime.downtimeMs - a.uptime.downtimeMs ||
    checkLabel(a.check).localeCompare(checkLabel(b.check), 'en')
  )
}

async function runsOf(
  deps: ComposeReportDeps,
  rows: readonly Row[],
  { from, to }: ReportPeriod,
): Promise<Map<number, RunCount>> {
  const found = new Map<number, RunCount>()
  for (let first = 0; first < rows.length; first += COUNTED) {
    const some = rows.slice(first, first + COUNTED).map(({ check: { id, nPings } }) => ({ id, nPings }))
    for (const count of await deps.store.reports.runCounts(some, from, to)) found.set(count.checkId, count)
  }
  return found
}

function shownRow({ site }: ComposeReportDeps, { check, uptime, before }: Row, runs: RunCount) {
  const more = runs.complete ? '' : '+'
  return {
    name: checkLabel(check),
    url: `${site.root}/cloaked/${check.uniqueKey}/`,
    isDown: check.isDown,
    runs: `${runs.succeeded + runs.failed}${more}`,
    failed: `${runs.failed}${more}`,
    downtimes: uptime.downtimes === 0 ? '' : plural(uptime.downtimes, 'downtime'),
    downtime: uptime.downtimes === 0 ? '' : approximateWords(uptime.downtimeMs),
    uptime: uptime.uptime === null ? '' : `${uptime.uptime} %`,
    // Said only where it changed.
    before:
      before === null || before.uptime === null || before.uptime === uptime.uptime
        ? ''
        : `${before.uptime} %`,
  }
}

/** `12 checks, 2 downtimes, 1 hour, 30 minutes in all. Before, January 2026: no downtime.` */
function summaryOf(checks: number, total: Total, before: { title: string; total: Total }): string {
  const then =
    before.total.known === 0 ? '' : ` Previous period, ${before.title}: ${totalWords(before.total)}.`
  return `${plural(checks, 'check')}, ${totalWords(total)}.${then}`
}

/** The downtimes of several checks; `known`: of how many anything is known. */
interface Total {
  known: number
  downtimes: number
  downtimeMs: number
}

function totalWords({ downtimes, downtimeMs }: Total): string {
  if (downtimes === 0) return 'no downtime'
  const words = `${plural(downtimes, 'downtime')}, ${approximateWords(downtimeMs)}`
  return downtimes === 1 ? words : `${words} in all`
}

function toTotal(uptime: Uptime | null): Total {
  if (uptime === null || uptime.uptime === null) return { known: 0, downtimes: 0, downtimeMs: 0 }
  return { known: 1, downtimes: uptime.downtimes, downtimeMs: uptime.downtimeMs }
}

function totalOf(totals: readonly Total[]): Total {
  return {
    known: sum(totals.map(({ known }) => known)),
    downtimes: sum(totals.map(({ downtimes }) => downtimes)),
    downtimeMs: sum(totals.map(({ downtimeMs }) => downtimeMs)),
  }
}

function restWords(rest: readonly Row[]): string {
  if (rest.length === 0) return ''
  const down = rest.filter(({ uptime }) => uptime.downtimes > 0).length
  if (rest.length === 1) return `and 1 more check, which was ${down === 0 ? 'not ' : ''}down`
  const how = down === 0 ? 'none of which was down' : `${down} of which ${down === 1 ? 'was' : 'were'} down`
  return `and ${plural(rest.length, 'more check')}, ${how}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
