import {
  type Asker,
  askToConfirm,
  channelToConfirm,
  confirmAddress,
} from '../../../actions/channels/confirm-address.js'
import { Refusal } from '../../../core/errors.js'
import { integrationOf } from '../../../integrations/index.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { ConfirmAddressPage } from '../../../views/pages/people/confirm-address.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { pageContext } from '../page-context.js'
import { mailDeps } from '../site.js'
import { loadChannel } from './load-channel.js'

/** The user, if the owners of other addresses must consent to messages. */
export function askerOf(c: WebContext): Asker {
  const { session, deps } = c.var
  const user = session?.user
  return user && deps.config.EMAIL_USE_VERIFICATION
    ? { uuid: user.uuid, email: user.email, emailProven: user.emailProven }
    : null
}

/**
 * GET: the link in the e-mail, which only the owner of the address has. Asks for confirmation, because mail programs
 * open links too.
 */
export async function askConfirmation(c: WebContext): Promise<Response> {
  const { store, config } = c.var.deps
  const channel = await channelToConfirm(store, secretKeysOf(config), ...linkOf(c))
  return await confirmPage(c, channel ? 'ask' : 'wrong')
}

/** POST: the button of that page. */
export async function confirmChannel(c: WebContext): Promise<Response> {
  const { clock, store, config } = c.var.deps
  const done = await confirmAddress(store, secretKeysOf(config), ...linkOf(c), clock.now())
  return await confirmPage(c, done ? 'done' : 'wrong')
}

function linkOf(c: WebContext): [uuid: string, signature: string] {
  return [c.req.param('uuid')!, c.req.param('signature')!]
}

async function confirmPage(c: WebContext, state: 'ask' | 'done' | 'wrong'): Promise<Response> {
  return await c.html(ConfirmAddressPage({ page: await pageContext(c), action: c.req.path, state }))
}

/** POST: sends that e-mail again. */
export async function sendConfirmation(c: WebContext): Promise<Response> {
  const { project, channel } = await loadChannel(c, 'write')
  const address = integrationOf(channel.kind)?.recipient?.(channel.settings)
  const asker = askerOf(c)
  if (address === undefined || asker === null || channel.confirmed) {
    throw new Refusal('conflict', 'the address needs no confirmation')
  }
  await askOwner(c, { channelUuid: channel.uuid, address, project: project.name, asker })
  return seeOther(c, `/integrations/${channel.uuid}/`)
}

/** Asks the owner of an address to consent, and shows the result on the next page. The channel exists in any case. */
export async function askOwner(c: WebContext, request: Parameters<typeof askToConfirm>[2]): Promise<void> {
  try {
    await askToConfirm(mailDeps(c), c.var.deps.config.SECRET_KEY, request)
    const text = `Confirmation sent to ${request.address}. Alerts start once its link is opened.`
    setFlash(c, 'good', text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    setFlash(c, 'bad', `${request.address} is not confirmed yet: ${error.message}.`)
  }
}
