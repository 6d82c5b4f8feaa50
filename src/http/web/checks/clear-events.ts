import { checkLabel } from '../../../core/alerts/alert.js'
import { ConfirmPage } from '../../../views/pages/confirm.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { pageContext } from '../page-context.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** GET: asks for confirmation before a check's events are deleted. */
export async function askClear(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  return await c.html(
    ConfirmPage({
      page: await pageContext(c, project),
      title: `Clear the events of ${checkLabel(known)}?`,
      text: 'All its pings, changes and notifications are forgotten, and it is new again. This cannot be undone.',
      action: `/checks/${check.uuid}/clear_events/`,
      button: 'Clear the events',
      back: home,
    }),
  )
}

/** POST: deletes all events of a check. */
export async function clear(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  await store.pings.clearEvents(project.id, check.uuid, now)
  setFlash(c, 'good', 'Its events are cleared.')
  return seeOther(c, home)
}
