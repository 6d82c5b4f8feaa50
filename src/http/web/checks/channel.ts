import { checkLabel } from '../../../core/alerts/alert.js'
import { undoableUntil } from '../../../core/checks/undo.js'
import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'
import { shownChannels } from './shown-channels.js'
import { setUndoableFlash, setUndoFlash } from './undoable.js'

/** POST: `state=on` assigns a channel to a check, anything else unassigns it. */
export async function switchChannel(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const on = (await formOf(c)).text('state') === 'on'
  const names = { check: check.uuid, channel: c.req.param('channel')! }
  const { changed } = await store.channels.switchForCheck(project.id, names, on, now, undoableUntil(now))
  const [{ check: known }, channels] = await Promise.all([
    store.checks.withChannels(project.id, { uuid: check.uuid }, now),
    store.channels.list(project.id),
  ])
  const channel = shownChannels(channels).find(({ uuid }) => uuid === names.channel)
  const name = channel?.name || channel?.label || 'The integration'
  const text = `${name}: ${on ? 'on' : 'off'} for ${checkLabel(known)}.`
  const step = { did: 'channel' as const, ...names, on }
  if (changed) await setUndoableFlash(c, project, text, { steps: [step] }, now)
  else {
    const userId = requireUser(c).user.id
    setUndoFlash(c, project, text, await store.checks.findUndo({ projectId: project.id, userId, step, now }))
  }
  return back(c, home)
}
