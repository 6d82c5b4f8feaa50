/** Describes a table of routes in an OpenAPI document, with the schemas that validate requests. */
import type {
  ApiDocument,
  Content,
  DocumentedOperation,
  JsonSchema,
  SecurityScheme,
} from '../../core/api-document.js'
import { mapped } from '../../lib/in-turns.js'
import type { OperationDescription, Parameter } from '../api/operation.js'
import { toJsonSchema } from './json-schema.js'

/** What is described of an operation. */
export type Described = Omit<OperationDescription, 'key' | 'isOffered' | 'bodyLimit' | 'bodyKept'>

/** A path of an API, after its prefix, and what each method does there. */
export interface DescribedRoute<O extends Described> {
  path: string
  methods: Partial<Record<string, O>>
  sameAs?: string
}

/** How an API authenticates callers, and what its operations have in common. */
export interface ApiStyle<O extends Described> {
  /** By name; any of them is sufficient. */
  securitySchemes: Readonly<Record<string, SecurityScheme>>
  /** Who may use an operation, in a sentence, and whether anyone may. */
  access(operation: O): { text: string; isOpen: boolean }
  /** What an operation has beside what it says itself. */
  common?(method: string, operation: O, methods: DescribedRoute<O>['methods']): Common
  /** The body of responses with this error status. */
  errorContent(status: string, schemaOf: SchemaOf): Content
}

/** All parameters of the query, headers and errors, and the headers of successful answers with their meanings. */
export interface Common {
  query: readonly Parameter[]
  headers: readonly Parameter[]
  errors: Readonly<Record<number, string>>
  answerHeaders: Readonly<Record<string, string>>
}

/** The JSON Schema of a schema; schemas with a name are referenced. */
export type SchemaOf = (schema: Parameters<typeof toJsonSchema>[0]) => JsonSchema

/** What a document says first. `version`: Punctual's; `address`: what the paths begin with. */
export interface Introduction {
  title: string
  version: string
  description: string
  address: string
}

/** The OpenAPI 3.1 document of an API. Each operation is a step, because converting all schemas takes half a second. */
export function* describeApi<O extends Described>(
  routes: readonly DescribedRoute<O>[],
  style: ApiStyle<O>,
  { address, ...info }: Introduction,
): Generator<void, ApiDocument> {
  const { paths, schemas } = yield* describeRoutes(routes, style)
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: address }],
    paths,
    components: { schemas, securitySchemes: { ...style.securitySchemes } },
  }
}

/** The paths of a document, and the schemas that they reference. */
function* describeRoutes<O extends Described>(
  routes: readonly DescribedRoute<O>[],
  style: ApiStyle<O>,
): Generator<void, { paths: ApiDocument['paths']; schemas: Record<string, JsonSchema> }> {
  const schemas: Record<string, JsonSchema> = {}
  // Many operations answer alike, and converting a schema takes a millisecond.
  const converted = new Map<Parameters<SchemaOf>[0], JsonSchema>()
  const schemaOf: SchemaOf = schema => {
    const known = converted.get(schema) ?? toJsonSchema(schema, schemas)
    converted.set(schema, known)
    return known
  }
  const paths: ApiDocument['paths'] = {}
  for (const route of routes.filter(({ sameAs }) => sameAs === undefined)) {
    const operations = yield* mapped(Object.entries(route.methods), ([method, operation]) => {
      const byKey = takesUniqueKey(routes, route, operation!)
      return [method.toLowerCase(), describe(route, method, operation!, { byKey, style, schemaOf })] as const
    })
    paths[route.path] = Object.fromEntries(operations)
  }
  return { paths, schemas }
}

function describe<O extends Described>(
  route: DescribedRoute<O>,
  method: string,
  operation: O,
  { byKey, style, schemaOf }: { byKey: boolean; style: ApiStyle<O>; schemaOf: SchemaOf },
): DocumentedOperation {
  const { query, headers, errors, answerHeaders } = style.common?.(method, operation, route.methods) ?? {
    query: operation.query ?? [],
    headers: operation.headers ?? [],
    errors: operation.errors,
    answerHeaders: {},
  }
  const parameter = (place: 'query' | 'header') => (one: Parameter) => ({
    name: one.name,
    in: place,
    required: !one.schema.safeParse(undefined).success,
    description: one.description,
    schema: schemaOf(one.schema),
  })
  const { text, isOpen } = style.access(operation)
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [operation.description, text].filter(Boolean).join(' '),
    security: isOpen ? [] : Object.keys(style.securitySchemes).map(name => ({ [name]: [] })),
    parameters: [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name: name!,
        in: 'path' as const,
        required: true,
        ...(byKey && name === 'uuid' ? UUID_OR_UNIQUE_KEY : PLACES[name!]!),
      })),
      ...query.map(parameter('query')),
      ...headers.map(parameter('header')),
    ],
    ...(operation.request ? { requestBody: requestBody(operation.request, schemaOf) } : {}),
    responses: { ...successesOf(operation, answerHeaders, schemaOf), ...errorsOf(errors, style, schemaOf) },
  }
}

const PLACES: Record<string, { description: string; schema: JsonSchema }> = {
  uuid: { description: 'A UUID, in lower case.', schema: { type: 'string', format: 'uuid' } },
  id: { description: 'A number.', schema: { type: 'integer', minimum: 1 } },
  hint: { description: 'The first characters of a key.', schema: { type: 'string' } },
  n: { description: 'The number of the ping.', schema: { type: 'integer', minimum: 1 } },
}

const UUID_OR_UNIQUE_KEY: (typeof PLACES)[string] = {
  description: 'The UUID of a check, in lower case, or its `unique_key`.',
  schema: { anyOf: [PLACES.uuid!.schema, { type: 'string', minLength: 40, maxLength: 40 }] },
}

/** Whether the operation is also served under a path with a unique key instead of the UUID. */
function takesUniqueKey(
  routes: readonly DescribedRoute<Described>[],
  { path }: DescribedRoute<Described>,
  operation: Described,
): boolean {
  return routes.some(({ sameAs, methods }) => sameAs === path && Object.values(methods).includes(operation))
}

function requestBody(request: NonNullable<OperationDescription['request']>, schemaOf: SchemaOf) {
  if ('raw' in request)
    return { content: { [request.raw]: { schema: { type: 'string', format: 'binary' } } } }
  const [type, schema] =
    'json' in request
      ? ['application/json', request.json]
      : ['application/x-www-form-urlencoded', request.form]
  const example = 'example' in request && request.example ? { example: request.example } : {}
  return { content: { [type]: { schema: schemaOf(schema()), ...example } } }
}

function successesOf(
  { responses }: Described,
  answerHeaders: Common['answerHeaders'],
  schemaOf: SchemaOf,
): DocumentedOperation['responses'] {
  const named = Object.entries(answerHeaders).map(([name, meaning]) => {
    return [name, { description: meaning, schema: { type: 'string' } }] as const
  })
  const headers = named.length === 0 ? {} : { headers: Object.fromEntries(named) }
  const successes = Object.entries(responses).map(([status, { description, schema, type }]) => {
    if (!schema && !type) return [status, { description, ...headers }] as const
    const content: Content = schema
      ? { 'application/json': { schema: schemaOf(schema()) } }
      : { [type!.split(';')[0]!]: { schema: { type: 'string' } } }
    return [status, { description, ...headers, content }] as const
  })
  return Object.fromEntries(successes)
}

function errorsOf<O extends Described>(
  errors: Described['errors'],
  style: ApiStyle<O>,
  schemaOf: SchemaOf,
): DocumentedOperation['responses'] {
  const described = Object.entries(errors).map(([status, description]) => {
    return [status, { description, content: style.errorContent(status, schemaOf) }] as const
  })
  return Object.fromEntries(described)
}
