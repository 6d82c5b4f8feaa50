import { switchChannel } from '../../../actions/channels/switch-channel.js'
import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { changing } from './act.js'
import { back } from './back.js'

/** POST: `state=on` makes a check tell a channel, anything else stops it. */
export async function setChannel(c: WebContext): Promise<Response> {
  const { project, check, deps, now, home } = await changing(c)
  const on = (await formOf(c)).text('state') === 'on'
  await switchChannel(deps, project.id, { check: check.uuid, channel: c.req.param('channel')! }, on, now)
  return back(c, home)
}
