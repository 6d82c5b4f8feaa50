import { back } from '../checks/back.js'
import type { WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { loadSilence } from './load-silence.js'

/** POST: ends a silence now, or cancels it before it begins. */
export async function endSilence(c: WebContext): Promise<Response> {
  const { project, silence, now, home } = await loadSilence(c, 'write')
  await c.var.deps.store.silences.end(project.id, silence.id, now)
  setFlash(c, 'good', silence.state === 'active' ? 'Ended the silence.' : 'Cancelled the silence.')
  return back(c, home)
}
