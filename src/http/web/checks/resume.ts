import type { WebContext } from '../context.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** POST: resumes a paused check, which then waits for a ping. */
export async function resume(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  await store.checks.resume(project.id, check.uuid, now)
  return back(c, home)
}
