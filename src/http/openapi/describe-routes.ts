/** Describes a table of routes in an OpenAPI document, with the schemas that validate requests. */
import type {
  ApiDocument,
  Content,
  DocumentedOperation,
  JsonSchema,
  SecurityScheme,
} from '../../core/api-document.js'
import type { OperationDescription } from '../api/operation.js'
import { toJsonSchema } from './json-schema.js'

/** A path of an API, after its prefix, and what each method does there. */
export interface DescribedRoute {
  path: string
  methods: Partial<Record<string, OperationDescription>>
  sameAs?: string
}

/** How an API authenticates callers, and the bodies of its errors. */
export interface ApiStyle {
  /** By name; any of them is sufficient. */
  securitySchemes: Readonly<Record<string, SecurityScheme>>
  /** The body of responses with this error status. */
  errorContent(status: string, schemaOf: SchemaOf): Content
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

/** The OpenAPI 3.1 document of an API. */
export function describeApi(
  routes: readonly DescribedRoute[],
  style: ApiStyle,
  { address, ...info }: Introduction,
): ApiDocument {
  const { paths, schemas } = describeRoutes(routes, style)
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: address }],
    paths,
    components: { schemas, securitySchemes: { ...style.securitySchemes } },
  }
}

/** The paths of a document, and the schemas that they reference. */
function describeRoutes(
  routes: readonly DescribedRoute[],
  style: ApiStyle,
): { paths: ApiDocument['paths']; schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {}
  const schemaOf: SchemaOf = schema => toJsonSchema(schema, schemas)
  const documented = routes.filter(({ sameAs }) => sameAs === undefined)
  const paths = documented.map(route => {
    const operations = Object.entries(route.methods).map(([method, operation]) => {
      const byKey = takesUniqueKey(routes, route, operation!)
      return [method.toLowerCase(), describe(route, operation!, byKey, style, schemaOf)] as const
    })
    return [route.path, Object.fromEntries(operations)] as const
  })
  return { paths: Object.fromEntries(paths), schemas }
}

function describe(
  route: DescribedRoute,
  operation: OperationDescription,
  byKey: boolean,
  style: ApiStyle,
  schemaOf: SchemaOf,
): DocumentedOperation {
  const parameter =
    (place: 'query' | 'header') => (one: NonNullable<OperationDescription['query']>[number]) => ({
      name: one.name,
      in: place,
      required: !one.schema.safeParse(undefined).success,
      description: one.description,
      schema: schemaOf(one.schema),
    })
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [operation.description, KEY_TEXTS[operation.key]].filter(Boolean).join(' '),
    security:
      operation.key === 'none' ? [] : Object.keys(style.securitySchemes).map(name => ({ [name]: [] })),
    parameters: [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name: name!,
        in: 'path' as const,
        required: true,
        ...(byKey ? UUID_OR_UNIQUE_KEY : PLACES[name!]!),
      })),
      ...(operation.query ?? []).map(parameter('query')),
      ...(operation.headers ?? []).map(parameter('header')),
    ],
    ...(operation.request ? { requestBody: requestBody(operation.request, schemaOf) } : {}),
    responses: responsesOf(operation, style, schemaOf),
  }
}

const KEY_TEXTS: Record<OperationDescription['key'], string> = {
  ro: 'A read-only key will do.',
  rw: 'Needs a read-write key.',
  none: '',
}

const PLACES: Record<string, { description: string; schema: JsonSchema }> = {
  uuid: { description: 'A UUID, in lower case.', schema: { type: 'string', format: 'uuid' } },
  id: { description: 'A number.', schema: { type: 'integer', minimum: 1 } },
  n: { description: 'The number of the ping.', schema: { type: 'integer', minimum: 1 } },
}

const UUID_OR_UNIQUE_KEY: (typeof PLACES)[string] = {
  description: 'The UUID of a check, in lower case, or its `unique_key`.',
  schema: { anyOf: [PLACES.uuid!.schema, { type: 'string', minLength: 40, maxLength: 40 }] },
}

/** Whether the operation is also served under a path with a unique key instead of the UUID. */
function takesUniqueKey(
  routes: readonly DescribedRoute[],
  { path }: DescribedRoute,
  operation: OperationDescription,
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
  return { content: { [type]: { schema: schemaOf(schema()) } } }
}

function responsesOf(
  operation: OperationDescription,
  style: ApiStyle,
  schemaOf: SchemaOf,
): DocumentedOperation['responses'] {
  const successes = Object.entries(operation.responses).map(([status, { description, schema, type }]) => {
    const content: Content = schema
      ? { 'application/json': { schema: schemaOf(schema()) } }
      : { [type!.split(';')[0]!]: { schema: { type: 'string' } } }
    return [status, { description, content }] as const
  })
  const errors = Object.entries(operation.errors).map(([status, description]) => {
    return [status, { description, content: style.errorContent(status, schemaOf) }] as const
  })
  return Object.fromEntries([...successes, ...errors])
}
