import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** POST: `state=on` assigns a channel to a check, anything else unassigns it. */
export async function switchChannel(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const on = (await formOf(c)).text('state') === 'on'
  const names = { check: check.uuid, channel: c.req.param('channel')! }
  await store.channels.switchForCheck(project.id, names, on, now)
  return back(c, home)
}
