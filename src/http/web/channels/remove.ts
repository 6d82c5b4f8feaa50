import { deleteChannel } from '../../../actions/channels/delete-channel.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { loadChannelForChange } from './load-channel.js'

/** POST: deletes a channel and its log. */
export async function removeChannel(c: WebContext): Promise<Response> {
  const { project, channel } = await loadChannelForChange(c)
  await deleteChannel(c.var.deps.store, channel.id, c.var.deps.clock.now())
  setFlash(c, 'good', 'The integration was deleted.')
  return seeOther(c, `/projects/${project.uuid}/integrations/`)
}
