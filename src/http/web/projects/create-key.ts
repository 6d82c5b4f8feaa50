import { createApiKey } from '../../../actions/projects/create-api-key.js'
import { createPingKey } from '../../../actions/projects/create-ping-key.js'
import { Refusal } from '../../../core/errors.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { ownSession } from '../people/session.js'
import { showOnce } from '../show-once.js'
import { settingsPath } from './settings.js'

/** POST: creates a key of the kind `rw`, `ro` or `ping`. An API key is shown once, on the next page. */
export async function submitNewKey(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const { store, clock } = c.var.deps
  const kind = (await formOf(c)).text('kind')
  if (kind === 'rw' || kind === 'ro') {
    const text = await createApiKey(store, clock, { projectId: project.id, kind, by: ownSession(c) })
    showOnce(c, settingsPath(project), { what: kind, text, sentTo: null })
  } else if (kind === 'ping') {
    await createPingKey(store, { projectId: project.id, by: ownSession(c), now: clock.now() })
    setFlash(c, 'good', 'Ping key created.')
  } else {
    throw new Refusal('invalid', 'a key is one of: rw, ro, ping')
  }
  return seeOther(c, settingsPath(project))
}
