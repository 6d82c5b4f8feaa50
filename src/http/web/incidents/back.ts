import { seeOther, type WebContext } from '../context.js'

/** Pages with forms about incidents. A path that begins with two slashes would lead to another site. */
const OWN_PAGES =
  /^\/(incidents|projects\/[0-9a-f-]{36}\/incidents(\/\d+)?|checks\/[0-9a-f-]{36}\/details)\/$/

/** After a POST: the page of this site with the form, or all incidents if the browser does not send it. */
export function backToIncidents(c: WebContext): Response {
  const { base } = c.var
  const referer = c.req.header('Referer')
  if (!referer || !URL.canParse(referer)) return seeOther(c, '/incidents/')
  const { pathname, search } = new URL(referer)
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : ''
  return seeOther(c, OWN_PAGES.test(path) ? path + search : '/incidents/')
}
