/** The OpenAPI 3.1 document of the API, made of the table of routes and of the schemas that validate. */
import { z } from 'zod'
import type { ApiDocument, DocumentedOperation, JsonSchema } from '../../core/api-document.js'
import type { Operation } from './operation.js'
import { type Route, routes } from './routes.js'
import { errorSchema } from './schemas.js'

/** The document of version 3 for the installation at `siteRoot`. `version`: the product's. */
export function openApiDocument(siteRoot: string, siteName: string, version: string): ApiDocument {
  const schemas: Record<string, JsonSchema> = {}
  const paths = Object.fromEntries(routes.map(route => [route.path, pathItem(route, schemas)]))
  return {
    openapi: '3.1.0',
    info: {
      title: `${siteName} Management API`,
      version,
      description:
        'Everything about checks that the pages can do, for programs. Requests and answers are JSON in UTF-8; ' +
        'instants are UTC. A slash at the end of a path may be there or not. Versions 1 and 2 are served under ' +
        '`/api/v1` and `/api/v2` for programs written for them.',
    },
    servers: [{ url: `${siteRoot}/api/v3` }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description:
            'A key of the project, read-write or read-only. A POST may carry it in its JSON body, as `api_key`, instead.',
        },
      },
    },
  }
}

function pathItem(route: Route, schemas: Record<string, JsonSchema>) {
  const operations = Object.entries(route.methods).map(([method, operation]) => [
    method.toLowerCase(),
    describe(route, operation, schemas),
  ])
  return Object.fromEntries(operations) as Record<string, DocumentedOperation>
}

function describe(
  route: Route,
  operation: Operation,
  schemas: Record<string, JsonSchema>,
): DocumentedOperation {
  const parameter = (place: 'query' | 'header') => (one: NonNullable<Operation['query']>[number]) => ({
    name: one.name,
    in: place,
    required: !one.schema.safeParse(undefined).success,
    description: one.description,
    schema: toJsonSchema(one.schema, schemas),
  })
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [operation.description, KEY_TEXTS[operation.key]].filter(Boolean).join(' '),
    security: operation.key === 'none' ? [] : [{ apiKey: [] }],
    parameters: [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name: name!,
        in: 'path' as const,
        required: true,
        ...PLACES[name!]!,
      })),
      ...(operation.query ?? []).map(parameter('query')),
      ...(operation.headers ?? []).map(parameter('header')),
    ],
    ...(operation.request ? { requestBody: requestBody(operation.request, schemas) } : {}),
    responses: responsesOf(operation, schemas),
  }
}

const KEY_TEXTS: Record<Operation['key'], string> = {
  ro: 'A read-only key will do.',
  rw: 'Needs a read-write key.',
  none: '',
}

const PLACES: Record<string, { description: string; schema: JsonSchema }> = {
  uuid: { description: 'A UUID, in lower case.', schema: { type: 'string', format: 'uuid' } },
  unique_key: {
    description: 'The `unique_key` of a check.',
    schema: { type: 'string', minLength: 40, maxLength: 40 },
  },
  n: { description: 'The number of the ping.', schema: { type: 'integer', minimum: 1 } },
}

function requestBody(request: NonNullable<Operation['request']>, schemas: Record<string, JsonSchema>) {
  if ('raw' in request)
    return { content: { [request.raw]: { schema: { type: 'string', format: 'binary' } } } }
  const [type, schema] =
    'json' in request
      ? ['application/json', request.json]
      : ['application/x-www-form-urlencoded', request.form]
  return { content: { [type]: { schema: toJsonSchema(schema, schemas) } } }
}

const ERRORS: Record<number, string> = {
  400: 'The request is malformed, or holds something that is not allowed.',
  401: 'The API key is missing, unknown, or only for reading.',
  403: 'The check belongs to another project, or the account has reached its limit of checks.',
  404: 'There is no such thing.',
  409: 'The check is not paused.',
  500: 'The database does not answer.',
  503: 'What is needed does not answer now; trying later may help.',
}

function responsesOf(operation: Operation, schemas: Record<string, JsonSchema>) {
  const responses: DocumentedOperation['responses'] = {}
  for (const [status, { description, schema, type }] of Object.entries(operation.responses)) {
    const content = schema
      ? { 'application/json': { schema: toJsonSchema(schema, schemas) } }
      : { [type!.split(';')[0]!]: { schema: { type: 'string' } } }
    responses[status] = { description, content }
  }
  for (const status of operation.errors) {
    const plain = PLAIN_ERRORS[status]
    const content = plain
      ? { [plain]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: toJsonSchema(errorSchema, schemas) } }
    responses[status] = { description: ERRORS[status]!, content }
  }
  return responses
}

/** The errors that are told in plain words instead of JSON. */
const PLAIN_ERRORS: Record<number, string> = { 409: 'text/html', 500: 'text/plain' }

/** The JSON Schema of `schema`; schemas with a name are put into `schemas` and referred to. */
function toJsonSchema(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const converted = z.toJSONSchema(z.object({ value: schema.optional() }), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // The bounds of all integers say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.id
    },
  })
  const text = JSON.stringify({ value: converted.properties?.value, named: converted.$defs ?? {} })
  const { value, named } = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'))
  Object.assign(schemas, named)
  return value
}
