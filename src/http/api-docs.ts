import { packageVersion } from '../lib/package-root.js'
import { apiPage } from '../views/pages/api.js'
import { openApiDocument } from './api/openapi.js'
import { corsHeaders } from './cors.js'
import type { AppConfig } from './deps.js'
import { baseHeaders, HTML, respond } from './responses.js'

/** The API's description: the OpenAPI document for programs, and the same as a page. Made when first asked for. */
export function createApiDocs(config: AppConfig): { document(): Response; page(): Response } {
  let made: { text: string; html: string } | undefined
  const texts = () => {
    made ??= render(config)
    return made
  }
  const headers = { ...baseHeaders, ...corsHeaders(['GET']) }
  return {
    document: () => respond(200, texts().text, 'application/json', headers),
    page: () => respond(200, texts().html, HTML),
  }
}

function render(config: AppConfig) {
  const document = openApiDocument(config.SITE_ROOT, config.SITE_NAME, packageVersion)
  return {
    text: JSON.stringify(document),
    html: apiPage(document, `${config.SITE_ROOT}/api/v3/openapi.json`),
  }
}
