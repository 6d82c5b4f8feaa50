import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { loadChannelForChange } from './load-channel.js'

/** POST: `enabled=true` enables a channel, anything else disables it. */
export async function setChannelEnabled(c: WebContext): Promise<Response> {
  const { channel } = await loadChannelForChange(c)
  const enabled = (await formOf(c)).text('enabled') === 'true'
  const { store, clock } = c.var.deps
  await store.channels.setEnabled(channel.id, enabled, clock.now())
  setFlash(
    c,
    'good',
    enabled ? 'Enabled.' : 'Disabled: nothing is sent through it until it is enabled again.',
  )
  return seeOther(c, `/integrations/${channel.uuid}/`)
}
