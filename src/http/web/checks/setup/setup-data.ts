import type { TimelinePing } from '../../../../core/checks/history/timeline.js'
import { arrivalOf } from '../../../../core/checks/setup/arrival.js'
import { mayShowSetup, setupSteps, showsSetup } from '../../../../core/checks/setup/steps.js'
import type { RunEntry } from '../../../../core/pings/run-entries.js'
import { integrationOf } from '../../../../integrations/index.js'
import { missingToAdd } from '../../../../integrations/missing-settings.js'
import type { Channel } from '../../../../storage/channels/channels.js'
import type { CheckFacts } from '../../../../storage/checks/check-page.js'
import type { AppliedPolicy } from '../../../../storage/incidents/choose-policy.js'
import type { CheckPageProps } from '../../../../views/check-page.js'
import { mayWrite, type PageContext } from '../../../../views/page-context.js'
import { operatorOf } from '../../../operator.js'
import type { WebContext } from '../../context.js'
import { requireUser } from '../../people/session.js'
import { shownChannels } from '../shown-channels.js'
import { isSetupClosed } from './shown.js'

interface Known {
  facts: Pick<CheckFacts, 'check' | 'channels'>
  policy: AppliedPolicy | null
  /** The newest runs, and where older ones begin. */
  entries: { entries: readonly RunEntry<TimelinePing>[]; next: number | null }
}

const NONE = { setup: null, isSetupClosed: false }

/** The steps of a check that is new; for another nothing is read. */
export async function setupOf(
  c: WebContext,
  page: PageContext,
  { facts, policy, entries: listed }: Known,
): Promise<Pick<CheckPageProps, 'setup' | 'isSetupClosed'>> {
  const { check } = facts
  if (!mayWrite(page) || !mayShowSetup(check, page.now)) return NONE
  const channels = await c.var.deps.store.channels.list(check.projectId)
  const receivers = receiversOf(channels, facts.channels, policy)
  if (!showsSetup({ ...check, receivers }, page.now)) return NONE
  if (isSetupClosed(c, check.uuid)) return { setup: null, isSetupClosed: true }
  const pings = listed.entries.flatMap(entry => (entry.type === 'run' ? entry.pings : []))
  return {
    setup: {
      steps: setupSteps({ ...check, receivers }),
      arrival: listed.next === null ? arrivalOf(pings, check) : null,
      receivers,
      ownAddress: ownAddress(c, channels),
    },
    isSetupClosed: false,
  }
}

/** Those that the alerts of a check are sent to: the channels of its policy, or its own, `linked`. */
export function receiversOf(
  channels: readonly Channel[],
  linked: readonly { uuid: string; on: boolean }[],
  policy: AppliedPolicy | null,
) {
  const own = linked.filter(({ on }) => on).map(({ uuid }) => uuid)
  const steps = policy?.steps ?? [{ channels: 'check' as const }]
  const used = new Set(steps.flatMap(step => (step.channels === 'check' ? own : step.channels)))
  const shown = shownChannels(channels)
  return channels.flatMap(({ uuid, disabled, confirmed, lastNotify, lastError }, index) => {
    if (!used.has(uuid)) return []
    const { name, label } = shown[index]!
    const arrived = lastNotify !== null && lastError === ''
    return [{ uuid, name: name || label, disabled: disabled || !confirmed, arrived, error: lastError }]
  })
}

/** The reader's address, if e-mail is sent here and none of these channels sends to it; else null. */
export function ownAddress(c: WebContext, channels: readonly Channel[]): string | null {
  const { email } = requireUser(c).user
  const isKnown = channels.some(({ kind, settings }) => kind === 'email' && settings.value === email)
  const integration = integrationOf('email')!
  return isKnown || missingToAdd(integration, operatorOf(c.var.deps)).length > 0 ? null : email
}
