import { mayUnsubscribe, unsubscribe } from '../../../actions/channels/unsubscribe.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { UnsubscribePage } from '../../../views/pages/people/unsubscribe.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: asks, since mail programs open links to look at them. */
export async function showUnsubscribe(c: WebContext): Promise<Response> {
  return await answer(c, isGood(c) ? 'ask' : 'wrong')
}

/** POST, from the page's button or a mail program's own: stops the messages. */
export async function submitUnsubscribe(c: WebContext): Promise<Response> {
  if (!isGood(c)) return await answer(c, 'wrong')
  await unsubscribe(c.var.deps.store, c.req.param('uuid')!, c.var.deps.clock.now())
  return await answer(c, 'done')
}

function isGood(c: WebContext): boolean {
  return mayUnsubscribe(secretKeysOf(c.var.deps.config), c.req.param('uuid')!, c.req.param('signature')!)
}

async function answer(c: WebContext, state: 'ask' | 'done' | 'wrong'): Promise<Response> {
  return await c.html(UnsubscribePage({ page: await pageContext(c), action: c.var.base + c.req.path, state }))
}
