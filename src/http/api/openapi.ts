/** The OpenAPI 3.1 document of the API, made of the table of routes and of the schemas that validate. */
import { z } from 'zod'
import type { ApiDocument, DocumentedOperation, JsonSchema } from '../../core/api-document.js'
import type { Operation } from './operation.js'
import { type Route, routes } from './routes.js'
import { errorSchema } from './schemas.js'

/** The document of version 3 for the installation at `siteRoot`. `version`: the product's. */
export function openApiDocument(siteRoot: string, siteName: string, version: string): ApiDocument {
  const schemas: Record<string, JsonSchema> = {}
  const documented = routes.filter(({ sameAs }) => sameAs === undefined)
  const paths = Object.fromEntries(documented.map(route => [route.path, pathItem(route, schemas)]))
  return {
    openapi: '3.1.0',
    info: {
      title: `${siteName} Management API`,
      version,
      description:
        'Everything about checks that the pages can do, for programs. Requests and answers are JSON in UTF-8; ' +
        'instants are UTC. A slash at the end of a path may be there or not. Versions 1 and 2 are served under ' +
        '`/api/v1` and `/api/v2` for programs written for them.',
      license: { name: 'MIT', identifier: 'MIT' },
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
        ...(takesUniqueKey(route, operation) ? UUID_OR_UNIQUE_KEY : PLACES[name!]!),
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
  n: { description: 'The number of the ping.', schema: { type: 'integer', minimum: 1 } },
}

const UUID_OR_UNIQUE_KEY: (typeof PLACES)[string] = {
  description: 'The UUID of a check, in lower case, or its `unique_key`.',
  schema: { anyOf: [PLACES.uuid!.schema, { type: 'string', minLength: 40, maxLength: 40 }] },
}

/** Whether the operation is also served under a path with a unique key in place of the UUID. */
function takesUniqueKey({ path }: Route, operation: Operation): boolean {
  return routes.some(({ sameAs, methods }) => sameAs === path && Object.values(methods).includes(operation))
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

function responsesOf(operation: Operation, schemas: Record<string, JsonSchema>) {
  const responses: DocumentedOperation['responses'] = {}
  for (const [status, { description, schema, type }] of Object.entries(operation.responses)) {
    const content = schema
      ? { 'application/json': { schema: toJsonSchema(schema, schemas) } }
      : { [type!.split(';')[0]!]: { schema: { type: 'string' } } }
    responses[status] = { description, content }
  }
  for (const [status, description] of Object.entries(operation.errors)) {
    const plain = PLAIN_ERRORS[status]
    const content = plain
      ? { [plain]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: toJsonSchema(errorSchema, schemas) } }
    responses[status] = { description, content }
  }
  return responses
}

/** The errors that are told in plain words instead of JSON. */
const PLAIN_ERRORS: Record<string, string> = { 409: 'text/html', 500: 'text/plain' }

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
