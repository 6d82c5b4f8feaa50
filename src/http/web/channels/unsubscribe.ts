import { channelToUnsubscribe, unsubscribe } from '../../../actions/channels/unsubscribe.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { UnsubscribePage } from '../../../views/pages/people/unsubscribe.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: asks for confirmation, because mail programs open links to scan them. */
export async function showUnsubscribe(c: WebContext): Promise<Response> {
  const { store, config } = c.var.deps
  const { channelUuid, signature } = linkOf(c)
  const channel = await channelToUnsubscribe(store, secretKeysOf(config), channelUuid, signature)
  return await answer(c, channel ? 'ask' : 'wrong')
}

/** POST, from the page's button or from a mail program: stops the messages. */
export async function submitUnsubscribe(c: WebContext): Promise<Response> {
  const { store, config, clock } = c.var.deps
  const at = { confirms: config.EMAIL_USE_VERIFICATION, now: clock.now() }
  return await answer(c, (await unsubscribe(store, secretKeysOf(config), linkOf(c), at)) ? 'done' : 'wrong')
}

function linkOf(c: WebContext) {
  return { channelUuid: c.req.param('uuid')!, signature: c.req.param('signature')! }
}

async function answer(c: WebContext, state: 'ask' | 'done' | 'wrong'): Promise<Response> {
  return await c.html(UnsubscribePage({ page: await pageContext(c), action: c.req.path, state }))
}
