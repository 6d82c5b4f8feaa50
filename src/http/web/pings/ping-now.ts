import { pingNow as sendPing } from '../../../actions/pings/ping-now.js'
import { checkOf } from '../access.js'
import { back } from '../checks/back.js'
import type { WebContext } from '../context.js'
import { visitorOf } from '../visitor.js'

/** POST: records a success, as if the check's address had been requested. */
export async function pingNow(c: WebContext): Promise<Response> {
  const { check } = await checkOf(c, c.req.param('uuid')!, 'write')
  const { pings, clock, config, onError } = c.var.deps
  const scheme = new URL(config.SITE_ROOT).protocol.slice(0, -1)
  await sendPing({ pings, clock, onError }, check.uuid, { scheme, ...visitorOf(c) })
  return back(c, `/checks/${check.uuid}/details/`)
}
