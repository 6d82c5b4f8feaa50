import type { Alert, Site } from '../../core/alerts/alert.js'
import type { Check } from '../../core/checks/check.js'
import { checkJson } from '../../core/wire/check.js'
import type { WireView } from '../../core/wire/version.js'
import type { Clock } from '../../lib/clock.js'
import { FairQueue } from '../../lib/fair/fair-queue.js'
import { SharedResults } from '../../lib/shared-results.js'
import type { AlertFacts, ProjectFacts } from '../../storage/alerts/alerts.js'
import type { ClaimedPart } from '../../storage/alerts/messages.js'
import type { Closing } from '../../storage/alerts/waiting/waiting-row.js'
import type { Dependants } from '../../storage/incidents/dependencies/dependants.js'
import type { StoreWith } from '../../storage/store.js'
import type { BodyStore } from '../pings/read-bodies.js'
import { type ExplainDeps, explainAlert } from './explain-alert.js'
import { withBody } from './ping-body.js'

export interface ComposeDeps extends ExplainDeps {
  store: ExplainDeps['store'] &
    StoreWith<
      | 'alerts.facts'
      | 'alerts.projectFacts'
      | 'alerts.channelsOfCheck'
      | 'alerts.dependantsOfCheck'
      | 'pings.largeBody'
    >
  clock: Clock
  site: Site
  links: Pick<WireView, 'siteRoot' | 'pingEndpoint'>
  /** Reads the bodies in object storage; null if there is none. */
  bodies: BodyStore | null
}

/** Alerts within the same second share the facts about a project's other checks, so that a storm reads them once. */
const shared = new SharedResults<number, ProjectFacts>(1_000, 1_000)

/** So do alerts about one check, through many channels, share the list of its channels. */
const sharedChannels = new SharedResults<number, string[]>(1_000, 100)

/** And the checks that depend on it, by the check's ID and its status. */
const sharedDependants = new SharedResults<string, Dependants | null>(1_000, 100)

/**
 * Reading ten thousand dependants takes 30 ms, for which the alerts of others wait: 1.2 s beside a check that has them and 60 channels. So
 * the projects take turns; a read that waits for something does not end them.
 */
const dependantReads = new FairQueue({ inAll: 2, perKey: 1, longestMs: 1_000 })

/**
 * The alert for a claimed delivery, or null if its check or flip was deleted, or the check moved from project `projectId` to another.
 * `flapped`: see {@link Alert}; `answer`: the link and the token to acknowledge its incident, or null; `explained`: whether it has a finding;
 * `containsJson`: whether it has the check as JSON.
 */
export async function composeAlert(
  deps: ComposeDeps,
  delivery: Pick<ClaimedPart, 'checkId' | 'flipId' | 'flip' | 'due' | 'incidentId' | 'channelId'>,
  {
    projectId,
    flapped,
    explained,
    containsJson,
    answer,
  }: {
    projectId: number
    flapped: boolean
    explained: boolean
    containsJson: boolean
    answer: { acknowledgeUrl: string; acknowledgeToken: string } | null
  },
): Promise<Alert | null> {
  const { checkId, flipId, flip, due, incidentId, channelId } = delivery
  if (checkId === null || flipId === null || flip === null) return null
  // What it waited for since then, or an attempt, has replaced what held it.
  const mayBeHeld = due !== null && (due.change.heldBy !== null || due.change.attempts > 0)
  const heldFor = mayBeHeld && incidentId !== null ? { incidentId, channelId } : null
  const facts = await deps.store.alerts.facts(checkId, flipId, heldFor)
  if (facts?.project.id !== projectId) return null
  const { id } = facts.project
  const project = await shared.get(deps.store, id, deps.clock.now(), () => deps.store.alerts.projectFacts(id))
  const now = deps.clock.now()
  const { check } = facts
  const status = flip.newStatus === 'down' ? 'down' : 'up'
  const selfDown = project.someDown.some(other => other.uuid === check.uuid) || check.status === 'down'
  return Object.freeze<Alert>({
    type: 'alert',
    status,
    flip,
    now,
    ...aboutCheck(deps, facts),
    checkJson: containsJson ? await jsonOf(deps, checkId, check, now) : '',
    lastPing: await withBody(deps, checkId, facts),
    downtimeMs: facts.downtimeMs,
    missedRuns: facts.missedRuns,
    detail: facts.detail,
    limit: facts.limit,
    dependants: facts.hasDependants ? await dependantsOf(deps, checkId, id, status) : null,
    held: facts.held,
    again: due?.change.again ?? null,
    otherChecks: project.checks - 1,
    othersDown: project.someDown.filter(other => other.uuid !== check.uuid).slice(0, 11),
    othersDownCount: Math.max(0, project.down - (selfDown ? 1 : 0)),
    outage: facts.outage,
    silentSince: facts.silentSince,
    finding: explained ? await explainAlert(deps, facts, flip) : null,
    superseded: due?.superseded ?? 0,
    missedDown: due?.missedDown ?? false,
    flapped,
    ...(flip.newStatus === 'down' && answer),
    test: false,
    site: deps.site,
  })
}

/** Of an alert about which nothing else is known: other checks, outages, and messages before it. */
export const ALONE = {
  otherChecks: 0,
  othersDown: [],
  othersDownCount: 0,
  outage: null,
  silentSince: null,
  finding: null,
  superseded: 0,
  missedDown: false,
  flapped: false,
} satisfies Partial<Alert>

/**
 * The message that closes an incident for a channel that no longer gets the check's alerts, with
 * the check as it was then.
 */
export function composeClosing(
  deps: Pick<ComposeDeps, 'clock' | 'site'>,
  { check, project, at, end }: Closing,
): Alert {
  const now = deps.clock.now()
  return Object.freeze<Alert>({
    type: 'alert',
    status: 'up',
    flip: { createdAt: at, oldStatus: 'down', newStatus: 'new', reason: '' },
    closing: end,
    now,
    ...aboutCheck(deps, { check, project }),
    checkJson: '',
    lastPing: null,
    downtimeMs: check.status === 'down' ? at - check.statusSince : null,
    ...ALONE,
    test: false,
    site: deps.site,
  })
}

function aboutCheck(
  { site }: Pick<ComposeDeps, 'site'>,
  { check, project }: Pick<AlertFacts, 'check' | 'project'>,
): Pick<Alert, 'check' | 'checkUrl' | 'project'> {
  return {
    check,
    checkUrl: `${site.root}/cloaked/${check.uniqueKey}/`,
    project: { name: project.name, url: `${site.root}/projects/${project.uuid}/checks/` },
  }
}

async function dependantsOf(
  { store, clock }: Pick<ComposeDeps, 'store' | 'clock'>,
  checkId: number,
  projectId: number,
  status: 'up' | 'down',
): Promise<Dependants | null> {
  const read = () => store.alerts.dependantsOfCheck(checkId, status)
  return await sharedDependants.get(store, `${checkId} ${status}`, clock.now(), () =>
    dependantReads.run(projectId, read),
  )
}

async function jsonOf(
  { store, links }: Pick<ComposeDeps, 'store' | 'links'>,
  checkId: number,
  check: Check,
  now: number,
): Promise<string> {
  const channels = await sharedChannels.get(store, checkId, now, () => store.alerts.channelsOfCheck(checkId))
  return checkJson(check, channels, { ...links, version: 3, access: 'rw', now, hold: null })
}
