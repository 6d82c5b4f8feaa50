import { addChannel } from '../../../actions/channels/add-channel.js'
import { needToChange } from '../../../integrations/index.js'
import type { Draft } from '../../../integrations/setup.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { type AlertForProps, allChecks } from '../../../views/components/channels/alert-for.js'
import { allow } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import type { Form } from '../form.js'
import { ownSession } from '../people/session.js'
import { askerOf, askOwner } from './verify.js'

/** A new channel, and the address whose owner must consent first. */
export interface Made {
  uuid: string
  forAll: boolean
  toAsk: string | null
}

/** Whether the form of a new channel asks to alert for every check of the project. */
export function sentForAll(form: Form): boolean {
  return form.text('checks') !== 'none'
}

/** The question in that form, with the answer so far. */
export async function alertFor(
  c: WebContext,
  project: ProjectAccess,
  forAll: boolean,
): Promise<AlertForProps> {
  const { checks } = await c.var.deps.store.channels.page(project.id)
  return { checks, forAll }
}

/**
 * Creates channels, which alert for every check of the project or for none yet. Throws as `addChannel` does, and `Refusal('forbidden')` if
 * the user may not create channels of this kind.
 */
export async function makeChannels(
  c: WebContext,
  project: ProjectAccess,
  kind: string,
  drafts: readonly Draft[],
  forAll = true,
): Promise<Made[]> {
  allow(project, needToChange(kind))
  const { store, clock } = c.var.deps
  const [asker, by] = [askerOf(c), ownSession(c)]
  const made: Made[] = []
  for (const { name = '', settings } of drafts) {
    const asked = { projectId: project.id, kind, name, settings, forAll, asker, by }
    made.push({ ...(await addChannel(store, clock, asked)), forAll })
  }
  return made
}

/**
 * Redirects to the page where the new channel can be tested, and asks the owners of addresses that must consent.
 * `isTested`: whether a test has just been delivered with the same settings.
 */
export async function tellMade(
  c: WebContext,
  project: ProjectAccess,
  made: readonly Made[],
  isTested = false,
): Promise<Response> {
  const one = made.length === 1
  const what = one ? 'Added.' : `Added ${made.length} integrations.`
  const { checks } = await alertFor(c, project, true)
  const next = isTested ? '' : ' Send a test to see that it arrives.'
  setFlash(c, 'good', `${what} ${alertsFor(one, made[0]!.forAll, checks)}${next}`)
  const asker = askerOf(c)
  for (const { uuid, toAsk: address } of made) {
    if (address === null || !asker) continue
    await askOwner(c, { channelUuid: uuid, address, project: project.name, asker })
  }
  return seeOther(c, one ? `/integrations/${made[0]!.uuid}/` : `/projects/${project.uuid}/integrations/`)
}

/** For which checks one or several new channels alert, as a sentence. */
function alertsFor(one: boolean, forAll: boolean, checks: number): string {
  const [it, alerts] = one ? ['It', 'alerts'] : ['They', 'alert']
  if (checks === 0) return `${it} will ${one ? 'alert' : alerts} for new checks.`
  if (!forAll)
    return `${it} ${alerts} for no check yet: choose the checks on ${one ? 'this page' : 'their pages'}.`
  return `${it} ${alerts} for ${allChecks(checks)}.`
}
