import { checkLabel } from '../../../core/alerts/alert.js'
import { ConfirmPage } from '../../../views/pages/confirm.js'
import { checkPage } from '../../../views/site-pages.js'
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
      parent: checkPage(known),
      title: `Clear events of ${checkLabel(known)}?`,
      text: 'Deletes all its pings and events. The check starts over as new. This cannot be undone.',
      action: `/checks/${check.uuid}/clear_events/`,
      button: 'Clear events',
      back: home,
    }),
  )
}

/** POST: deletes all events of a check. */
export async function clear(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  await store.pings.clearEvents(project.id, check.uuid, now)
  setFlash(c, 'good', 'The events were cleared.')
  return seeOther(c, home)
}
