import { seeOther, type WebContext } from '../context.js'
import type { Form } from '../form.js'

/** After a POST: the page of this site with the form, or `fallback` if the browser does not send it. */
export function back(c: WebContext, fallback: string): Response {
  const { path, search } = pageBefore(c)
  return seeOther(c, OWN_PAGES.test(path) ? path + search : fallback)
}

/** The list of checks, with its filter, from which the browser comes; null if it does not say so. */
export function listBefore(c: WebContext): string | null {
  const { path, search } = pageBefore(c)
  return LIST.test(path + search) ? path + search : null
}

/** The list to which a form leads that was opened from it; `fallback` for any other value. */
export function listOf(form: Form, fallback: string): string {
  const list = form.text('list')
  return LIST.test(list) ? list : fallback
}

function pageBefore(c: WebContext): { path: string; search: string } {
  const { base } = c.var
  const referer = c.req.header('Referer')
  if (!referer || !URL.canParse(referer)) return { path: '', search: '' }
  const { pathname, search } = new URL(referer)
  return { path: pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '', search }
}

/** Pages that only show what there is, not those where one types. A path that begins with two slashes would lead to another site. */
const OWN_PAGES = new RegExp(
  `^/(${[
    '((projects/[0-9a-f-]+/)?(checks|incidents|timeline)/)?|projects/',
    'projects/[0-9a-f-]+/(silences|integrations|policies|log|changes|dependencies|badges|incidents/\\d+)/',
    'checks/[0-9a-f-]+/(details|log|compare|pings/\\d+)/',
  ].join('|')})$`,
)

const LIST = /^\/(projects\/[0-9a-f-]+\/)?checks\/(\?[!-~]*)?$/
