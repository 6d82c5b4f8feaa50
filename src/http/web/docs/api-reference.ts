import { link } from '../../../views/page-context.js'
import { ApiPage } from '../../../views/pages/instance/api.js'
import { apiDocument } from '../../api-document.js'
import type { WebContext } from '../context.js'
import { entries } from './entries.js'
import { showToAll } from './show-to-all.js'

/** GET: the OpenAPI document as a page for people. */
export async function showApiReference(c: WebContext): Promise<Response> {
  const { config } = c.var.deps
  return await showToAll(c, 'api', page =>
    ApiPage({
      page,
      docs: entries(config.SITE_ROOT),
      document: apiDocument(config),
      documentUrl: link(page, '/api/v3/openapi.json'),
    }),
  )
}
