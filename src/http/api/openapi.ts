/** The OpenAPI 3.1 document of the API, generated from the table of routes and the schemas that validate requests. */
import type { ApiDocument } from '../../core/api-document.js'
import { type ApiStyle, describeApi } from '../openapi/describe-routes.js'
import type { Operation } from './operation.js'
import { routes } from './routes.js'
import { errorSchema } from './schemas.js'

/** The errors that are plain text instead of JSON. */
const PLAIN_ERRORS: Record<string, string> = { 409: 'text/html', 500: 'text/plain' }

const KEY_TEXTS: Record<Operation['key'], string> = {
  ro: 'A read-only key will do.',
  rw: 'Needs a read-write key.',
  none: '',
}

const STYLE: ApiStyle<Operation> = {
  securitySchemes: {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description:
        'A key of the project, read-write or read-only. A POST may carry it in its JSON body, as `api_key`, instead.',
    },
  },
  access: ({ key }) => ({ text: KEY_TEXTS[key], isOpen: key === 'none' }),
  errorContent(status, schemaOf) {
    const plain = PLAIN_ERRORS[status]
    return plain
      ? { [plain]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemaOf(errorSchema()) } }
  },
}

/** The document of version 3 for the installation at `siteRoot`, in steps. `version`: Punctual's. */
export function openApiDocument(
  siteRoot: string,
  siteName: string,
  version: string,
): Generator<void, ApiDocument> {
  return describeApi(routes, STYLE, {
    title: `${siteName} Management API`,
    version,
    description:
      'Everything about checks that the pages can do, for programs. Requests and answers are JSON in UTF-8; ' +
      'instants are UTC. A slash at the end of a path may be there or not. Versions 1 and 2 are served under ' +
      '`/api/v1` and `/api/v2` for programs written for them.',
    address: `${siteRoot}/api/v3`,
  })
}
