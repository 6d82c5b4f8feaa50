import { packageVersion } from '../../../lib/package-root.js'
import { link } from '../../../views/page-context.js'
import { ApiPage } from '../../../views/pages/api.js'
import { openApiDocument } from '../../api/openapi.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { entries } from './entries.js'

/** GET: the OpenAPI document as a page for people. */
export async function showApiReference(c: WebContext): Promise<Response> {
  const { SITE_ROOT: siteRoot, SITE_NAME: siteName } = c.var.deps.config
  const page = await pageContext(c)
  return await c.html(
    ApiPage({
      page,
      docs: entries(siteRoot),
      document: openApiDocument(siteRoot, siteName, packageVersion),
      documentUrl: link(page, '/api/v3/openapi.json'),
    }),
  )
}
