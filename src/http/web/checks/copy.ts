import { copyCheck } from '../../../actions/checks/copy-check.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** POST: copies a check and redirects to the form of the copy. */
export async function copy(c: WebContext): Promise<Response> {
  const { project, check, store, now } = await loadCheckForChange(c)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  const uuid = await copyCheck(store, project.id, known, now)
  setFlash(c, 'good', 'Copied. This is the copy.')
  return seeOther(c, `/checks/${uuid}/details/`)
}
