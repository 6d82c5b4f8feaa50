import { resumeCheck } from '../../../actions/checks/resume-check.js'
import type { WebContext } from '../context.js'
import { changing } from './act.js'
import { back } from './back.js'

/** POST: makes a paused check wait for pings again. */
export async function resume(c: WebContext): Promise<Response> {
  const { project, check, deps, now, home } = await changing(c)
  await resumeCheck(deps, project.id, check.uuid, now)
  return back(c, home)
}
