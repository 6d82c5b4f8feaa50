import { previewTimes, sentSilenceForm } from '../../../core/silences/silence-form.js'
import { WindowsPreview } from '../../../views/components/silences/windows-preview.js'
import { zoneOf } from '../../../views/page-context.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: the next windows of the times in the query, as a part of a page. Reads and writes nothing. */
export async function previewWindows(c: WebContext): Promise<Response> {
  const form = sentSilenceForm(name => (c.req.queries(name) ?? []).map(text => text.slice(0, 2_000)))
  const page = await pageContext(c)
  return await c.html(WindowsPreview({ page, times: previewTimes(form, zoneOf(page), page.now) }))
}
