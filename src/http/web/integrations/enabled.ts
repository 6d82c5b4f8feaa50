import { enableChannel } from '../../../actions/enable-channel.js'
import { channelOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'

/** POST: `enabled=true` lets an integration tell of changes again, anything else stops it. */
export async function setIntegrationEnabled(c: WebContext): Promise<Response> {
  const { channel } = await channelOf(c, c.req.param('uuid')!, 'write')
  const enabled = (await formOf(c)).text('enabled') === 'true'
  await enableChannel(c.var.deps.store, channel.id, enabled)
  setFlash(c, 'good', enabled ? 'Enabled.' : 'Disabled: nobody is told through it until it is enabled again.')
  return seeOther(c, `/integrations/${channel.uuid}/`)
}
