import { sentForm } from '../../../core/checks/check-form.js'
import { SchedulePreview } from '../../../views/components/checks/schedule-preview.js'
import { checkOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { silencesOfCheck } from '../silences/of-check.js'
import { shownTiming } from './form-page.js'

/**
 * GET: the meaning of the schedule in the query, for a new check or for `check`, as a part of a page. Writes nothing.
 */
export async function showPreview(c: WebContext): Promise<Response> {
  const form = sentForm(name => (c.req.queries(name) ?? []).map(text => text.slice(0, 2_000)))
  const page = await pageContext(c)
  return await c.html(
    SchedulePreview({ page, timing: shownTiming(form), silences: await silencesOfAsked(c) }),
  )
}

/** Those of the check in the query, if there is one. */
async function silencesOfAsked(c: WebContext) {
  const uuid = c.req.query('check') ?? ''
  if (uuid === '') return []
  const { project } = await checkOf(c, uuid, 'read')
  const { store, clock } = c.var.deps
  const { check } = await store.checks.withChannels(project.id, { uuid }, clock.now())
  return await silencesOfCheck(c, project.id, check)
}
