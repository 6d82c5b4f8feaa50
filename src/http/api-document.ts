import type { ApiDocument } from '../core/api-document.js'
import { inTurns } from '../lib/in-turns.js'
import { packageVersion } from '../lib/package-root.js'
import { openApiDocument } from './api/openapi.js'
import { corsHeaders } from './cors.js'
import type { AppConfig } from './deps.js'
import { nativeDocument } from './native/openapi.js'
import { baseHeaders, respond } from './responses.js'

/** The two APIs that have a document: version 3 of the API of Healthchecks, and Punctual's own. */
export type ApiName = 'v3' | 'punctual/v1'

const MAKERS = { v3: openApiDocument, 'punctual/v1': nativeDocument } as const

/** Creates the document of an API, in steps. */
export function makeDocument(
  name: ApiName,
  ...site: [siteRoot: string, siteName: string, version: string]
): Generator<void, ApiDocument> {
  return MAKERS[name](...site)
}

const documents = new WeakMap<AppConfig, Map<ApiName, Promise<ApiDocument>>>()

/** The OpenAPI document of an API. Created at the first request, in turns. */
export function apiDocument(config: AppConfig, name: ApiName): Promise<ApiDocument> {
  const known = documents.get(config) ?? new Map<ApiName, Promise<ApiDocument>>()
  documents.set(config, known)
  const made =
    known.get(name) ?? inTurns(makeDocument(name, config.SITE_ROOT, config.SITE_NAME, packageVersion))
  known.set(name, made)
  return made
}

/** The path at which an API's document is served. */
export function documentPath(name: ApiName): string {
  return `/api/${name}/openapi.json`
}

/** The headers of the document, and of a refusal to send it. */
export const DOCUMENT_HEADERS = { ...baseHeaders, ...corsHeaders(['GET']) }

/** Responds with the document. */
export function createApiDocument(config: AppConfig, name: ApiName): () => Promise<Response> {
  let text: Buffer<ArrayBuffer> | undefined
  return async () => {
    const document = await apiDocument(config, name)
    text ??= Buffer.from(JSON.stringify(document))
    return respond(200, text, 'application/json', DOCUMENT_HEADERS)
  }
}
