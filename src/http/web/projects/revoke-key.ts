import { revokeKeys } from '../../../actions/projects/revoke-keys.js'
import { Refusal } from '../../../core/errors.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { ownSession } from '../people/session.js'
import { settingsPath } from './settings.js'

/** POST: revokes the API key that begins with `hint`, or the ping key. */
export async function submitRevokedKey(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const form = await formOf(c)
  const [kind, hint] = [form.text('kind'), form.text('hint')]
  if (kind !== 'ping' && ((kind !== 'rw' && kind !== 'ro') || hint === '')) {
    throw new Refusal('invalid', 'a key is one of: rw, ro, ping')
  }
  const { store, clock, changes } = c.var.deps
  const named = kind === 'ping' ? undefined : hint
  const change = { projectId: project.id, by: ownSession(c), now: clock.now() }
  await revokeKeys(store, { ...change, kind, hint: named })
  changes.emit('access', {})
  setFlash(c, 'good', kind === 'ping' ? 'Ping key revoked.' : `The key ${hint}… is revoked.`)
  return seeOther(c, settingsPath(project))
}
