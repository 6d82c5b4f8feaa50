import { switchChannel } from '../../../actions/channels/switch-channel.js'
import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** POST: `state=on` makes a check tell a channel, anything else stops it. */
export async function setChannel(c: WebContext): Promise<Response> {
  const { project, check, deps, now, home } = await loadCheckForChange(c)
  const on = (await formOf(c)).text('state') === 'on'
  await switchChannel(deps, project.id, { check: check.uuid, channel: c.req.param('channel')! }, on, now)
  return back(c, home)
}
