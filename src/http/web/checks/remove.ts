import { checkLabel } from '../../../core/alerts/alert.js'
import { ConfirmPage } from '../../../views/pages/confirm.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { pageContext } from '../page-context.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** GET: asks for confirmation before a check is deleted. */
export async function askRemove(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  return await c.html(
    ConfirmPage({
      page: await pageContext(c, project),
      title: `Delete ${checkLabel(known)}?`,
      text: 'Its address stops working at once, and its log and its badge go with it. This cannot be undone.',
      action: `/checks/${check.uuid}/remove/`,
      button: 'Delete the check',
      back: home,
    }),
  )
}

/** POST: deletes a check. */
export async function remove(c: WebContext): Promise<Response> {
  const { project, check, store, now } = await loadCheckForChange(c)
  const { check: known } = await store.checks.delete(project.id, check.uuid, now)
  setFlash(c, 'good', `Deleted ${checkLabel(known)}.`)
  return seeOther(c, `/projects/${project.uuid}/checks/`)
}
