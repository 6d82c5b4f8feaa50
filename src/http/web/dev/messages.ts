import { Refusal } from '../../../core/errors.js'
import { sampleMessagesPage } from '../../../views/pages/instance/sample-messages.js'
import type { WebContext } from '../context.js'
import { MAIL_POLICY } from './mails.js'
import { sampleMessages } from './sample-messages.js'

/** GET: the messages of every kind side by side, for developers. It exists only with `DEBUG`. */
export async function showSampleMessages(c: WebContext): Promise<Response> {
  const { config, delivery, clock } = c.var.deps
  if (!config.DEBUG) throw new Refusal('not-found', 'page not found')
  c.header('Content-Security-Policy', MAIL_POLICY)
  return c.html(sampleMessagesPage(await sampleMessages({ delivery, clock })))
}
