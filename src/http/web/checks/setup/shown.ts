/** Whether a reader has closed the steps of a check. The browser keeps it, for each check. */

import { checkOf } from '../../access.js'
import { seeOther, type WebContext } from '../../context.js'
import { dropCookie, putCookie, readCookie } from '../../cookies.js'
import { formOf } from '../../form.js'

const NAME = 'punctual_setup'
const A_YEAR = 365 * 86_400

/** Whether the steps of the check with this UUID are closed. */
export function isSetupClosed(c: WebContext, uuid: string): boolean {
  return readCookie(c, NAME, { page: pageOf(uuid) }) === 'closed'
}

/** POST: `shown=no` closes the steps of a check, anything else shows them again. */
export async function showSetup(c: WebContext): Promise<Response> {
  const { check } = await checkOf(c, c.req.param('uuid')!, 'write')
  const page = pageOf(check.uuid)
  if ((await formOf(c)).text('shown') === 'no') putCookie(c, NAME, 'closed', { page, maxAge: A_YEAR })
  else dropCookie(c, NAME, { page })
  return seeOther(c, `${page}details/`)
}

/** The path under which the browser sends it. */
function pageOf(uuid: string): string {
  return `/checks/${uuid}/`
}
