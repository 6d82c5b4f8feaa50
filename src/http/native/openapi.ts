/**
 * The OpenAPI 3.1 document of Punctual's own API, generated from the table of routes and the schemas that validate
 * requests.
 */
import type { ApiDocument } from '../../core/api-document.js'
import { type ApiStyle, describeApi } from '../openapi/describe-routes.js'
import type { AnyNativeOperation } from './native-operation.js'
import { NATIVE_PREFIX, nativeRoutes } from './native-routes.js'
import { PROBLEM } from './problem.js'
import { problemSchema } from './problem-schema.js'
import { answerHeadersOf, commonErrorsOf, headersOf, queryParametersOf } from './serve/parameters.js'

const STYLE: ApiStyle<AnyNativeOperation> = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'A token (`pun_…`) or a key of the project.' },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description: 'The same token or key. It decides if both headers are sent.',
    },
  },
  access: ({ scope, role, key, alsoNeeds = [] }) => {
    const needed =
      scope === null
        ? 'Any token will do'
        : `Needs the scope ${[scope, ...alsoNeeds].map(name => `\`${name}\``).join(', ')}`
    const more = role === undefined ? '' : `; ${ROLES[role]}`
    const keys = key === undefined ? '' : `; ${KEYS[key]}`
    return { text: `${needed}${more}${keys}.`, isOpen: false }
  },
  common: (method, operation, methods) => {
    const upper = method.toUpperCase()
    return {
      query: queryParametersOf(upper, operation),
      headers: headersOf(upper, methods),
      errors: commonErrorsOf(upper, operation, methods),
      answerHeaders: answerHeadersOf(upper, methods),
    }
  },
  errorContent: (_, schemaOf) => ({ [PROBLEM]: { schema: schemaOf(problemSchema()) } }),
}

const ROLES = {
  read: 'any role in the project will do',
  write: 'for members, managers and the owner',
  manage: 'for managers and the owner',
  own: 'for the owner',
} as const

const KEYS = { ro: 'a read-only key will do, too', rw: 'a read-write key will do, too' } as const

/** The document for the installation at `siteRoot`, in steps. `version`: Punctual's. */
export function nativeDocument(
  siteRoot: string,
  siteName: string,
  version: string,
): Generator<void, ApiDocument> {
  return describeApi(nativeRoutes, STYLE, {
    title: `${siteName} API`,
    version,
    description:
      'Everything that people can do in the browser, for programs. ' +
      'Send a token in the header `Authorization: Bearer pun_…`; make one under *API tokens* in your account or in the settings of a project. ' +
      'With a token of a person, name the project by `?project=UUID`. ' +
      'Requests and answers are JSON in UTF-8; instants are UTC, durations whole seconds.',
    address: siteRoot + NATIVE_PREFIX,
  })
}
