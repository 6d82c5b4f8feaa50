import { sentForm } from '../../../core/checks/check-form.js'
import { SchedulePreview } from '../../../views/components/checks/schedule-preview.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { shownTiming } from './form-page.js'

/** GET: the meaning of the schedule in the query, as a part of a page. Reads and writes nothing. */
export async function showPreview(c: WebContext): Promise<Response> {
  const form = sentForm(name => (c.req.queries(name) ?? []).map(text => text.slice(0, 2_000)))
  const page = await pageContext(c)
  return await c.html(SchedulePreview({ page, timing: shownTiming(form) }))
}
