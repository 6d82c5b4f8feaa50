import { assignChannel as assign } from '../../../actions/channels/assign-channel.js'
import { plural } from '../../../core/text/plural.js'
import { channelOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'

/** POST: assigns the channel to the selected checks only. */
export async function assignChannel(c: WebContext): Promise<Response> {
  const { project, channel } = await channelOf(c, c.req.param('uuid')!, 'write')
  const checks = (await formOf(c)).all('check')
  const { store, clock } = c.var.deps
  const count = await assign(store, clock, { id: channel.id, projectId: project.id, checks })
  setFlash(c, 'good', `Assigned to ${plural(count, 'check')}.`)
  return seeOther(c, `/integrations/${channel.uuid}/`)
}
