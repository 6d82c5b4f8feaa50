import {
  importedReader,
  mayUnsubscribeReports,
  unsubscribeReports,
} from '../../../actions/reports/unsubscribe-reports.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { UnsubscribePage } from '../../../views/pages/people/unsubscribe.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: asks for confirmation, because mail programs open links to scan them. */
export async function showUnsubscribeReports(c: WebContext): Promise<Response> {
  return await answer(c, (await readerOf(c)) === null ? 'wrong' : 'ask')
}

/** POST, from the page's button or from a mail program: stops reports and reminders. */
export async function submitUnsubscribeReports(c: WebContext): Promise<Response> {
  const reader = await readerOf(c)
  if (reader === null) return await answer(c, 'wrong')
  await unsubscribeReports(c.var.deps.store, reader)
  return await answer(c, 'done')
}

/** The UUID of the person to whom the link was sent, by us or by Healthchecks; null if its signature is wrong. */
async function readerOf(c: WebContext): Promise<string | null> {
  const { store, config } = c.var.deps
  const { user, signature, signed } = c.req.param() as Record<string, string | undefined>
  if (signed !== undefined) return await importedReader(store, secretKeysOf(config), signed)
  return (await mayUnsubscribeReports(store, secretKeysOf(config), user!, signature!)) ? user! : null
}

async function answer(c: WebContext, state: 'ask' | 'done' | 'wrong'): Promise<Response> {
  const page = await pageContext(c)
  return await c.html(UnsubscribePage({ page, action: c.req.path, state, of: 'reports' }))
}
