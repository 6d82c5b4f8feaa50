import { addChannel } from '../../../actions/channels/add-channel.js'
import { needToChange } from '../../../integrations/index.js'
import type { Draft } from '../../../integrations/setup.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { allow } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { ownSession } from '../people/session.js'
import { askerOf, askOwner } from './verify.js'

/** A new channel, and the address whose owner must consent first. */
export interface Made {
  uuid: string
  toAsk: string | null
}

/**
 * Creates channels, assigned to every check of the project. Throws as `addChannel` does, and `Refusal('forbidden')` if
 * the user may not create channels of this kind.
 */
export async function makeChannels(
  c: WebContext,
  project: ProjectAccess,
  kind: string,
  drafts: readonly Draft[],
): Promise<Made[]> {
  allow(project, needToChange(kind))
  const { store, clock } = c.var.deps
  const [asker, by] = [askerOf(c), ownSession(c)]
  const made: Made[] = []
  for (const { name = '', settings } of drafts) {
    made.push(await addChannel(store, clock, { projectId: project.id, kind, name, settings, asker, by }))
  }
  return made
}

/** Redirects to the page where the new channel can be tested, and asks the owners of addresses that must consent. */
export async function tellMade(
  c: WebContext,
  project: ProjectAccess,
  made: readonly Made[],
): Promise<Response> {
  const one = made.length === 1
  const what = one ? 'Added' : `${made.length} integrations were added`
  const then = 'Send a test to see that it arrives.'
  setFlash(c, 'good', `${what}, and assigned to every check of the project. ${then}`)
  const asker = askerOf(c)
  for (const { uuid, toAsk: address } of made) {
    if (address === null || !asker) continue
    await askOwner(c, { channelUuid: uuid, address, project: project.name, asker })
  }
  return seeOther(c, one ? `/integrations/${made[0]!.uuid}/` : `/projects/${project.uuid}/integrations/`)
}
