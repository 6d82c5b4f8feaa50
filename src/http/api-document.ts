import { packageVersion } from '../lib/package-root.js'
import { openApiDocument } from './api/openapi.js'
import { corsHeaders } from './cors.js'
import type { AppConfig } from './deps.js'
import { baseHeaders, respond } from './responses.js'

/** Answers with the API's description for programs, an OpenAPI document. Made when first asked for. */
export function createApiDocument(config: AppConfig): () => Response {
  let text: string | undefined
  const headers = { ...baseHeaders, ...corsHeaders(['GET']) }
  return () => {
    text ??= JSON.stringify(openApiDocument(config.SITE_ROOT, config.SITE_NAME, packageVersion))
    return respond(200, text, 'application/json', headers)
  }
}
