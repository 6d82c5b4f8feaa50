import { previewTimes, sentSilenceForm } from '../../../core/silences/silence-form.js'
import { WindowsPreview } from '../../../views/components/silences/windows-preview.js'
import { zoneOf } from '../../../views/page-context.js'
import type { WebContext } from '../context.js'
import { cut } from '../form.js'
import { pageContext } from '../page-context.js'
import { LONGEST } from './form-page.js'

/** GET: the next windows of the times in the query, as a part of a page. Reads and writes nothing. */
export async function previewWindows(c: WebContext): Promise<Response> {
  const form = sentSilenceForm(cut(name => c.req.queries(name) ?? [], LONGEST))
  const page = await pageContext(c)
  return await c.html(WindowsPreview({ page, times: previewTimes(form, zoneOf(page), page.now) }))
}
