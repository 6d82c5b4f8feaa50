import { Refusal } from '../../../core/errors.js'
import { SampleMailsPage } from '../../../views/pages/instance/sample-mails.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { sampleMails } from './sample-mails.js'

/** The restrictions of an e-mail in a browser: it uses its own styles and loads nothing. */
export const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** GET: the list of all e-mails, for developers. It exists only with `DEBUG`. */
export async function showSampleMails(c: WebContext): Promise<Response> {
  const mails = await samplesOf(c)
  const listed = [...mails].map(([name, { subject }]) => ({ name, subject }))
  return await c.html(SampleMailsPage({ page: await pageContext(c), mails: listed }))
}

/** GET: one of them as HTML, or as text with `?text`. */
export async function showSampleMail(c: WebContext): Promise<Response> {
  const mail = (await samplesOf(c)).get(c.req.param('name')!)
  if (!mail) throw new Refusal('not-found', 'there is no such e-mail')
  if (c.req.query('text') !== undefined) return c.text(mail.text)
  c.header('Content-Security-Policy', MAIL_POLICY)
  return c.html(mail.html)
}

async function samplesOf(c: WebContext) {
  const { config, delivery, clock } = c.var.deps
  if (!config.DEBUG) throw new Refusal('not-found', 'page not found')
  return await sampleMails({ delivery, clock })
}
