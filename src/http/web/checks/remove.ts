import { checkLabel } from '../../../core/alerts/alert.js'
import { ConfirmPage, ListField } from '../../../views/pages/confirm.js'
import { checkPage } from '../../../views/site-pages.js'
import { seeOther, type WebContext } from '../context.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { listBefore, listOf } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'
import { setUndoableFlash } from './undoable.js'

/** GET: asks for confirmation before a check is deleted. */
export async function askRemove(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  const list = listBefore(c)
  return await c.html(
    ConfirmPage({
      page: await pageContext(c, project),
      parent: checkPage(known),
      title: `Delete ${checkLabel(known)}?`,
      text: 'Its ping URL stops working, and its log and badge are deleted. You can undo this for 10 seconds.',
      action: `/checks/${check.uuid}/remove/`,
      button: 'Delete check',
      fields: list === null ? undefined : ListField({ list }),
      back: list ?? home,
    }),
  )
}

/** POST: deletes a check, when it can no longer be undone. Leads to the list from which it was asked. */
export async function remove(c: WebContext): Promise<Response> {
  const { project, check, store, now } = await loadCheckForChange(c)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  const text = `Deleted ${checkLabel(known)}.`
  await setUndoableFlash(c, project, text, { plan: 'delete', checks: [check.uuid] }, now)
  return seeOther(c, listOf(await formOf(c), `/projects/${project.uuid}/checks/`))
}
