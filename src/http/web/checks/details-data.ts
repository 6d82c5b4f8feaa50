import { findingsOf } from '../../../core/checks/findings/index.js'
import { usualDuration } from '../../../core/checks/history/run-strip.js'
import { dayBars, monthlyUptime } from '../../../core/checks/history/uptime.js'
import { OUTPUT_BYTES } from '../../../core/pings/ping-log.js'
import { silencesOf } from '../../../core/silences/silenced.js'
import type { CheckFacts } from '../../../storage/checks/check-page.js'
import type { CheckAccess } from '../../../storage/people/access.js'
import type { CheckPageProps } from '../../../views/check-page.js'
import { type PageContext, zoneOf } from '../../../views/page-context.js'
import { readZone, runsBefore } from '../../../views/timeline-query.js'
import type { AppConfig } from '../../deps.js'
import type { WebContext } from '../context.js'
import { checkVersion } from '../live/live-check.js'
import { channelNamer, logos } from './shown-channels.js'

/** The number of runs on a page. */
const RUNS = 25

/** Everything that the page of a check shows, except the projects that it can be moved to, at the instant of `page`. */
export async function detailsData(
  c: WebContext,
  { project, check }: CheckAccess,
  page: PageContext,
): Promise<Omit<CheckPageProps, 'targets'>> {
  const { store, config } = c.var.deps
  const params = new URL(c.req.url).searchParams
  const before = runsBefore(params)
  const [stamp, facts, findingFacts, listed, named, silences] = await Promise.all([
    store.checks.eventFingerprint(project.id, check.uuid, page.now),
    store.checks.facts(project.id, check.uuid, page.now),
    store.checks.findingFacts(project.id, { uuid: check.uuid }, page.now),
    store.pings.runEntries(project.id, check.uuid, { before, limit: RUNS }),
    channelNamer(c, project.id),
    store.silences.list(project.id, page.now),
  ])
  const zone = zoneOf(page)
  return {
    page,
    version: checkVersion(stamp, silences),
    check: facts.check,
    state: facts.state,
    findings: findingsOf(findingFacts),
    silences: silencesOf(silences, facts.check),
    exitStatus: facts.runs.findLast(run => run.n !== null)?.exitStatus ?? null,
    tookMs: facts.runs.findLast(run => run.n !== null && run.at === facts.state.since)?.durationMs ?? null,
    months: monthlyUptime(facts, zone, page.now),
    days: dayBars(facts, zone, page.now),
    runs: facts.runs,
    usual: usualDuration(facts.runs.flatMap(run => run.durationMs ?? [])),
    output: await outputOf(c, facts),
    told: facts.told.map(told => ({ ...told, channel: named(told.channel) })),
    channels: facts.channels.map(named),
    logos,
    addresses: addressesOf(facts, config, page),
    entries: listed.entries,
    older: listed.next === null ? null : String(listed.next),
    shown: { before: before === null ? '' : String(before), zone: readZone(params) },
  }
}

/** Only the page of a check that is down shows it, and leaves it out if it is not available. */
async function outputOf(
  c: WebContext,
  { check, state, output }: CheckFacts,
): Promise<CheckPageProps['output']> {
  if (!output || state.status !== 'down') return null
  const { n, at, size } = output
  const { bodies } = c.var.deps
  const body = output.tail ?? (await bodies?.read(check.uuid, n).catch(() => null))
  if (!body) return null
  const tail = body.slice(-OUTPUT_BYTES)
  return { n, at, text: new TextDecoder().decode(tail), shortened: size > tail.length }
}

/** The ping key is shown only to users who may change the project. Source: docs/behaviour.md, section 9.1. */
function addressesOf(facts: CheckFacts, config: AppConfig, page: PageContext): CheckPageProps['addresses'] {
  const { check, pingKey, sameSlug } = facts
  const bySlug = check.slug !== '' && pingKey !== null && page.project?.role !== 'readonly'
  return {
    uuid: config.PING_ENDPOINT + check.uuid,
    slug: bySlug ? `${config.PING_ENDPOINT}${pingKey}/${check.slug}` : null,
    email: config.SMTPD_PORT === null ? null : `${check.uuid}@${config.PING_EMAIL_DOMAIN}`,
    sameSlug,
  }
}
