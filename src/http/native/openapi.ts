/**
 * The OpenAPI 3.1 document of Punctual's own API, generated from the table of routes and the schemas that validate
 * requests.
 */
import type { ApiDocument } from '../../core/api-document.js'
import { type ApiStyle, describeApi } from '../openapi/describe-routes.js'
import { NATIVE_PREFIX, nativeRoutes } from './native-routes.js'
import { PROBLEM } from './problem.js'
import { problemSchema } from './schemas.js'

const STYLE: ApiStyle = {
  securitySchemes: {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description: 'A key of the project, read-write or read-only. It decides where it is sent at all.',
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
  },
  errorContent: (_, schemaOf) => ({ [PROBLEM]: { schema: schemaOf(problemSchema()) } }),
}

/** The document for the installation at `siteRoot`. `version`: Punctual's. */
export function nativeDocument(siteRoot: string, siteName: string, version: string): ApiDocument {
  return describeApi(nativeRoutes, STYLE, {
    title: `${siteName} API`,
    version,
    description:
      'What the API of Healthchecks does not have: runs, tolerance, early pings, silences, and what is found about a check. ' +
      'Requests and answers are JSON in UTF-8; instants are UTC, durations whole seconds.',
    address: siteRoot + NATIVE_PREFIX,
  })
}
