import { SearchOptions } from '../../../views/components/palette/search-options.js'
import { SearchPage } from '../../../views/pages/instance/search.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { findAllChecks, findOptions, outputsOption } from './find-options.js'
import { findOutputs } from './find-outputs.js'
import { readAsked } from './read-search.js'

/** GET: searches checks, actions, pages and documents for `q`; `check`: where the reader is; `show=checks`: all checks, in pages. */
export async function showSearch(c: WebContext): Promise<Response> {
  const asked = await readAsked(c)
  const found =
    asked.page === null
      ? { groups: await findOptions(c, asked) }
      : await findAllChecks(c, { ...asked, page: asked.page })
  const outputs = asked.page === null && !asked.check ? await findOutputs(c, asked) : null
  const page = await pageContext(c, asked.check ? await projectOf(c, asked.check.project, 'read') : null)
  const check = asked.check && { uuid: asked.check.uuid, name: asked.check.name }
  return await c.html(SearchPage({ page, query: asked.typed, check, ...found, outputs }))
}

/** GET: the results as the dialog shows them, without a page around them. */
export async function showSearchOptions(c: WebContext): Promise<Response> {
  const asked = await readAsked(c)
  const page = { base: c.var.base, now: c.var.deps.clock.now() }
  const groups = [...(await findOptions(c, asked)), ...outputsOption(asked)]
  return await c.html(SearchOptions({ page, check: asked.check, groups }))
}
