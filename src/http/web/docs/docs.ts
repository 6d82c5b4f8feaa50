import { Refusal } from '../../../core/errors.js'
import { DocPage, DocsSearchPage } from '../../../views/pages/instance/docs.js'
import { seeOther, type WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { entries } from './entries.js'
import { library } from './library.js'
import { showToAll } from './show-to-all.js'

/** The maximum length of a search, in characters. */
const QUERY_LENGTH = 100

/** The maximum number of words, each of which costs time. */
const QUERY_WORDS = 8

/** GET: redirects to the first document. */
export function showDocs(c: WebContext): Response {
  return seeOther(c, '/docs/pinging/')
}

/** GET: redirects old bookmarks of the cheat sheet to its replacement. */
export function showCron(c: WebContext): Response {
  return seeOther(c, '/docs/schedules/#cron')
}

/** GET: one document, also for visitors who are not signed in. */
export async function showDoc(c: WebContext): Promise<Response> {
  const { config } = c.var.deps
  const path = [c.req.param('folder'), c.req.param('name')].filter(part => part !== undefined).join('/')
  const doc = (await library(config.SITE_ROOT)).find(path)
  if (!doc) throw new Refusal('not-found', 'there is no such document')
  const docs = await entries(config.SITE_ROOT)
  return await showToAll(c, doc.path, page => DocPage({ page, docs, doc }))
}

/** GET: searches all documents for `q`. */
export async function searchDocs(c: WebContext): Promise<Response> {
  const { config } = c.var.deps
  const typed = (c.req.query('q') ?? '').trim().slice(0, QUERY_LENGTH)
  const query = typed.split(/\s+/).slice(0, QUERY_WORDS).join(' ')
  const hits = query === '' ? [] : (await library(config.SITE_ROOT)).search(query)
  const docs = await entries(config.SITE_ROOT)
  return await c.html(DocsSearchPage({ page: await pageContext(c), docs, query, hits }))
}
