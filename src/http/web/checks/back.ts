import { seeOther, type WebContext } from '../context.js'

/** After a POST: the page of this site with the form, or `fallback` if the browser does not send it. */
export function back(c: WebContext, fallback: string): Response {
  const { base } = c.var
  const referer = c.req.header('Referer')
  if (!referer || !URL.canParse(referer)) return seeOther(c, fallback)
  const { pathname, search } = new URL(referer)
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : ''
  return seeOther(c, OWN_PAGES.test(path) ? path + search : fallback)
}

/** Pages with such forms. A path that begins with two slashes would lead to another site. */
const OWN_PAGES =
  /^\/(projects\/[0-9a-f-]+\/(checks|silences|incidents\/\d+)|checks(\/[0-9a-f-]+\/details)?)\/$/
