import type { ApiDocument } from '../core/api-document.js'
import { packageVersion } from '../lib/package-root.js'
import { openApiDocument } from './api/openapi.js'
import { corsHeaders } from './cors.js'
import type { AppConfig } from './deps.js'
import { baseHeaders, respond } from './responses.js'

const documents = new WeakMap<AppConfig, ApiDocument>()

/** The API's description for programs, an OpenAPI document. Made when first asked for. */
export function apiDocument(config: AppConfig): ApiDocument {
  const known = documents.get(config)
  if (known) return known
  const made = openApiDocument(config.SITE_ROOT, config.SITE_NAME, packageVersion)
  documents.set(config, made)
  return made
}

/** Answers with that document. */
export function createApiDocument(config: AppConfig): () => Response {
  let text: string | undefined
  const headers = { ...baseHeaders, ...corsHeaders(['GET']) }
  return () => {
    text ??= JSON.stringify(apiDocument(config))
    return respond(200, text, 'application/json', headers)
  }
}
