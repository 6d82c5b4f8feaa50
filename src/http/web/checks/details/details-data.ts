import { explainCheck } from '../../../../actions/incidents/explain-check.js'
import { lastExitStatus, usualDuration } from '../../../../core/checks/history/run-strip.js'
import { dayBars, monthlyUptime } from '../../../../core/checks/history/uptime.js'
import { appliedWords } from '../../../../core/incidents/policy-words.js'
import { may } from '../../../../core/people/role.js'
import { silencesOf } from '../../../../core/silences/silenced.js'
import type { CheckFacts } from '../../../../storage/checks/check-page.js'
import type { AppliedPolicy } from '../../../../storage/incidents/choose-policy.js'
import type { CheckAccess } from '../../../../storage/people/access.js'
import type { CheckPageProps } from '../../../../views/check-page.js'
import { type PageContext, zoneOf } from '../../../../views/page-context.js'
import { readZone, runsBefore } from '../../../../views/timeline-query.js'
import type { AppConfig } from '../../../deps.js'
import type { WebContext } from '../../context.js'
import { policyNames } from '../../incidents/policies/names.js'
import { checkVersion } from '../../live/live-check.js'
import { readOutput } from '../../pings/read-output.js'
import { setupOf } from '../setup/setup-data.js'
import { channelNamer, logos } from '../shown-channels.js'
import { otherProjects } from '../transfer.js'

/** The number of runs on a page. */
const RUNS = 25
/** The number of its latest incidents. */
const INCIDENTS = 5

/** Everything that the page of a check shows at `now`; `context`: of the page. */
export async function detailsData(
  c: WebContext,
  { project, check }: CheckAccess,
  context: PageContext | Promise<PageContext>,
  now: number,
): Promise<CheckPageProps> {
  const { store, config } = c.var.deps
  const params = new URL(c.req.url).searchParams
  const before = runsBefore(params)
  // Asked together, because each turn to the thread of the database costs as much as a statement.
  const [
    shown,
    stamp,
    facts,
    findings,
    listed,
    incidents,
    dependencies,
    named,
    silences,
    policy,
    around,
    managedBy,
    protocols,
  ] = await Promise.all([
    context,
    store.checks.eventFingerprint(project.id, check.uuid, now),
    store.checks.facts(project.id, check.uuid, now),
    store.checks.findings(project.id, { uuid: check.uuid }, now),
    store.pings.runEntries(project.id, check.uuid, { before, limit: RUNS }),
    store.incidents.ofCheck({ id: check.id, projectId: project.id }, INCIDENTS, now),
    store.incidents.neighbours(check.id, now),
    channelNamer(c, project.id),
    store.silences.list(project.id, now),
    store.incidents.appliedPolicy(check.id),
    store.incidents.surroundings(check.id),
    store.projects.configOwner(project.id, 'checks', check.uuid),
    may(project.role, 'manage') ? store.projects.protocols(project.id) : null,
  ])
  const page = { ...shown, now }
  const isHeld =
    incidents[0]?.closedAt === null || dependencies.parents.some(({ status }) => status === 'down')
  const asked = { projectId: project.id, ref: { uuid: check.uuid }, now }
  const alerts = isHeld ? await explainCheck({ store }, asked, ({ channels }) => channels) : []
  const zone = zoneOf(page)
  const setup = await setupOf(c, page, { facts, policy, entries: listed })
  return {
    page,
    version: checkVersion({ stamp, silences, policy, around }),
    check: facts.check,
    state: facts.state,
    managedBy,
    findings,
    silences: silencesOf(silences, facts.check),
    incidents,
    alerts: alerts.map(one => ({ ...one, channel: named(one.channel) })),
    exitStatus: lastExitStatus(facts.runs),
    tookMs: facts.runs.findLast(run => run.n !== null && run.at === facts.state.since)?.durationMs ?? null,
    months: monthlyUptime(facts, zone, now),
    days: dayBars(facts, zone, now),
    runs: facts.runs,
    usual: usualDuration(facts.runs.flatMap(run => run.durationMs ?? [])),
    output: await readOutput(c, facts.check.uuid, facts.output),
    channels: facts.channels.map(named),
    policy: policy && (await shownPolicy(c, project.id, policy, facts.channels.map(named))),
    logos,
    dependencies,
    addresses: addressesOf(facts, config, page),
    ...setup,
    snippets: params.get('snippets') === 'all',
    entries: listed.entries,
    older: listed.next === null ? null : String(listed.next),
    targets: otherProjects(page, project.uuid),
    takesPushTokens: protocols?.includes('uptime-kuma') ?? false,
    shown: { before: before === null ? '' : String(before), zone: readZone(params) },
  }
}

/** The policy of a check with whom it alerts, where the check's own `channels` that are switched on have their names. */
async function shownPolicy(
  c: WebContext,
  projectId: number,
  policy: AppliedPolicy,
  channels: readonly { name: string; on: boolean }[],
): Promise<CheckPageProps['policy']> {
  const own = channels.filter(({ on }) => on).map(({ name }) => name)
  const names = policyNames(await c.var.deps.store.channels.list(projectId), own)
  return { id: policy.id, name: policy.name, isNamed: policy.isNamed, words: appliedWords(policy, names) }
}

/** The ping key is shown only to users who may change the project. Source: docs/behaviour.md, section 9.1. */
function addressesOf(facts: CheckFacts, config: AppConfig, page: PageContext): CheckPageProps['addresses'] {
  const { check, pingKey, sameSlug } = facts
  const bySlug = check.slug !== '' && pingKey !== null && page.project?.role !== 'readonly'
  return {
    uuid: config.PING_ENDPOINT + check.uuid,
    slug: bySlug ? `${config.PING_ENDPOINT}${pingKey}/${check.slug}` : null,
    email: config.SMTPD_PORT === null ? null : `${check.uuid}@${config.PING_EMAIL_DOMAIN}`,
    script: `${config.SITE_ROOT}/exec.sh`,
    sameSlug,
  }
}
