import { enableChannel } from '../../../actions/channels/enable-channel.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { loadChannelForChange } from './load-channel.js'

/** POST: `enabled=true` lets an integration tell of changes again, anything else stops it. */
export async function setIntegrationEnabled(c: WebContext): Promise<Response> {
  const { channel } = await loadChannelForChange(c)
  const enabled = (await formOf(c)).text('enabled') === 'true'
  await enableChannel(c.var.deps.store, channel.id, enabled, c.var.deps.clock.now())
  setFlash(c, 'good', enabled ? 'Enabled.' : 'Disabled: nobody is told through it until it is enabled again.')
  return seeOther(c, `/integrations/${channel.uuid}/`)
}
