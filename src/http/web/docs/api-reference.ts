import { link } from '../../../views/page-context.js'
import { ApiPage } from '../../../views/pages/instance/api.js'
import { apiDocument, documentPath } from '../../api-document.js'
import type { WebContext } from '../context.js'
import type { API_REFERENCES } from './api-references.js'
import { entries } from './entries.js'
import { showToAll } from './show-to-all.js'

/** GET: an API's OpenAPI document as a page for users. */
export function showApiReference({ path, api }: (typeof API_REFERENCES)[number]) {
  return async (c: WebContext): Promise<Response> => {
    const { config } = c.var.deps
    const docs = await entries(config.SITE_ROOT)
    const document = await apiDocument(config, api)
    return await showToAll(c, path, page =>
      ApiPage({
        page,
        docs,
        current: path,
        document,
        documentUrl: link(page, documentPath(api)),
      }),
    )
  }
}
