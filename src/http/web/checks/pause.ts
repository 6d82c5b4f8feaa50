import type { WebContext } from '../context.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** POST: pauses monitoring of a check until a ping or a resume. */
export async function pause(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  await store.checks.pause(project.id, check.uuid, now)
  return back(c, home)
}
