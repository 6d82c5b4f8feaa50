import {
  type ReportsLink,
  readReportsLink,
  unsubscribeReports,
} from '../../../actions/reports/unsubscribe-reports.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { UnsubscribePage } from '../../../views/pages/people/unsubscribe.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: asks for confirmation, because mail programs open links to scan them. */
export async function showUnsubscribeReports(c: WebContext): Promise<Response> {
  const { store, config } = c.var.deps
  const found = await readReportsLink(store, secretKeysOf(config), linkOf(c))
  return await answer(c, found === null ? 'wrong' : 'ask')
}

/** POST, from the page's button or from a mail program: stops reports and reminders. */
export async function submitUnsubscribeReports(c: WebContext): Promise<Response> {
  const { store, config } = c.var.deps
  const stopped = await unsubscribeReports(store, secretKeysOf(config), linkOf(c))
  return await answer(c, stopped ? 'done' : 'wrong')
}

function linkOf(c: WebContext): ReportsLink {
  const { user, signature, signed } = c.req.param() as Record<string, string | undefined>
  return signed === undefined ? { userUuid: user!, signature: signature! } : { signed }
}

async function answer(c: WebContext, state: 'ask' | 'done' | 'wrong'): Promise<Response> {
  const page = await pageContext(c)
  return await c.html(UnsubscribePage({ page, action: c.req.path, state, of: 'reports' }))
}
