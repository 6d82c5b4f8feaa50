import { mayUnsubscribeReports, unsubscribeReports } from '../../../actions/reports/unsubscribe-reports.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { UnsubscribePage } from '../../../views/pages/people/unsubscribe.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: asks for confirmation, because mail programs open links to scan them. */
export async function showUnsubscribeReports(c: WebContext): Promise<Response> {
  return await answer(c, (await isGood(c)) ? 'ask' : 'wrong')
}

/** POST, from the page's button or from a mail program: stops reports and reminders. */
export async function submitUnsubscribeReports(c: WebContext): Promise<Response> {
  if (!(await isGood(c))) return await answer(c, 'wrong')
  await unsubscribeReports(c.var.deps.store, c.req.param('user')!)
  return await answer(c, 'done')
}

async function isGood(c: WebContext): Promise<boolean> {
  const { store, config } = c.var.deps
  return await mayUnsubscribeReports(
    store,
    secretKeysOf(config),
    c.req.param('user')!,
    c.req.param('signature')!,
  )
}

async function answer(c: WebContext, state: 'ask' | 'done' | 'wrong'): Promise<Response> {
  const page = await pageContext(c)
  return await c.html(UnsubscribePage({ page, action: c.req.path, state, of: 'reports' }))
}
