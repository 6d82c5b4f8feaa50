/** The tools: operations of Punctual's own API, described by its OpenAPI document. */
import type { ApiDocument, DocumentedOperation, JsonSchema } from '../../core/api-document.js'
import { mapped } from '../../lib/in-turns.js'
import type { AnyNativeOperation } from '../native/native-operation.js'
import { nativeRoutes } from '../native/native-routes.js'
import { METHODS_WITH_BODY } from '../native/serve/admit.js'
import { isObject } from './json-rpc.js'

/** What a tool has beside its operation. */
interface Offer {
  /** The members of each item that a list shows unless others are asked for. */
  fields?: string
  /** Whether the answer is text that a job sent. */
  isOutput?: true
}

const CHECK =
  'name,slug,uuid,unique_key,status,started,failing,incident,period,schedule,tz,grace,tags,last_ping,next_ping'

/** The operations that are tools, by ID. None pings, sends a message by itself, or shows or makes a secret. */
const OFFERED: Readonly<Record<string, Offer>> = {
  listProjects: {},
  listChecks: { fields: CHECK },
  getCheck: {},
  explainCheck: {},
  listFindings: {},
  listFlips: {},
  listRuns: {},
  listPings: {},
  getPingBody: { isOutput: true },
  listIncidents: {},
  getIncident: {},
  acknowledgeIncident: {},
  addIncidentNote: {},
  listSilences: {},
  createSilence: {},
  patchSilence: {},
  endSilence: {},
  snoozeCheck: {},
  createCheck: {},
  patchCheck: {},
  pauseCheck: {},
  resumeCheck: {},
  deleteCheck: {},
  listPolicies: {},
  createPolicy: {},
  patchPolicy: {},
  deletePolicy: {},
  listChannels: {},
  planConfig: {},
}

/** The argument with which a deletion is confirmed. */
export const CONFIRM = 'confirm'

export interface Tool extends Offer {
  /** As clients list it. */
  listed: {
    name: string
    title: string
    description: string
    inputSchema: JsonSchema & { $defs?: Record<string, JsonSchema> }
    annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: false }
  }
  method: string
  path: string
  operation: AnyNativeOperation
  /** The names of its arguments in the path and in the query; all others are members of the body. */
  inPath: ReadonlySet<string>
  inQuery: ReadonlySet<string>
}

/** The tools by name, from the document of Punctual's own API; each is a step. */
export function* toolsOf(document: ApiDocument): Generator<void, ReadonlyMap<string, Tool>> {
  const offered = nativeRoutes.flatMap(({ path, methods, sameAs }) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const offer = OFFERED[operation.id]
      return offer === undefined || sameAs !== undefined ? [] : [{ ...offer, method, path, operation }]
    }),
  )
  const tools = yield* mapped(offered, offer => {
    return toolOf(offer, document.paths[offer.path]![offer.method.toLowerCase()]!, document)
  })
  return new Map(tools.map(tool => [tool.listed.name, tool]))
}

/** Whether a tool deletes or ends something, and so takes two calls. */
export function deletes({ method }: Pick<Tool, 'method'>): boolean {
  return method === 'DELETE'
}

function toolOf(
  tool: Pick<Tool, 'method' | 'path' | 'operation' | 'fields' | 'isOutput'>,
  described: DocumentedOperation,
  { components }: ApiDocument,
): Tool {
  const { operation } = tool
  const parameters = described.parameters.filter(one => one.in !== 'header')
  const body = bodyOf(described, components.schemas)
  const isReading = tool.method === 'GET' || operation.id === 'planConfig'
  const description = [operation.summary, operation.description ?? ''].map(asSentence).join(' ').trim()
  const confirm = deletes(tool) ? { [CONFIRM]: CONFIRMATION } : {}
  const properties: Record<string, JsonSchema> = {
    ...body.properties,
    ...Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    ...confirm,
  }
  const required = [
    ...parameters.filter(one => one.required).map(({ name }) => name),
    ...(body.required ?? []),
  ]
  const names = (place: string) => new Set(parameters.filter(one => one.in === place).map(({ name }) => name))
  return {
    ...tool,
    listed: {
      name: toolName(operation.id),
      title: operation.summary,
      description: deletes(tool) ? `${description} Takes two calls, see \`${CONFIRM}\`.` : description,
      inputSchema: closed(
        { type: 'object', properties, required, additionalProperties: false },
        components.schemas,
      ),
      annotations: { readOnlyHint: isReading, destructiveHint: deletes(tool), openWorldHint: false },
    },
    inPath: names('path'),
    inQuery: names('query'),
  }
}

const CONFIRMATION: JsonSchema = {
  type: 'string',
  description:
    'Leave it out first: the answer says what would be deleted and has the value to confirm with. Ask the user before you confirm.',
}

/** `listChecks` is `list_checks`, `patchCheck` is `update_check`. */
function toolName(id: string): string {
  return id.replace(/^patch/, 'update').replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function asSentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`
}

type Schemas = Record<string, JsonSchema>

const REFERENCE = '#/components/schemas/'

function bodyOf({ requestBody }: DocumentedOperation, schemas: Schemas): JsonSchema {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return {}
  return schema.$ref === undefined ? schema : schemas[schema.$ref.slice(REFERENCE.length)]!
}

/** The schema with the schemas that it refers to. */
function closed(schema: JsonSchema, schemas: Schemas) {
  const needed: Schemas = {}
  const collect = (one: JsonSchema) => {
    for (const [, name] of JSON.stringify(one).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (needed[name!] !== undefined) continue
      needed[name!] = schemas[name!]!
      collect(schemas[name!]!)
    }
  }
  collect(schema)
  const whole = Object.keys(needed).length === 0 ? schema : { ...schema, $defs: needed }
  return JSON.parse(
    JSON.stringify(whole).replaceAll(REFERENCE, '#/$defs/'),
    withoutPattern,
  ) as typeof schema & {
    $defs?: Schemas
  }
}

/** What has a format needs no pattern: a list of tools is read whole by an assistant, again and again. */
function withoutPattern(_: string, value: unknown): unknown {
  if (!isObject(value) || typeof value.format !== 'string') return value
  const { pattern: _pattern, ...others } = value
  return others
}

/** The address, after the prefix, and the body of the request that a call is. Throws a text that says what is wrong. */
export function requestOf(tool: Tool, args: Readonly<Record<string, unknown>>) {
  const { inPath, inQuery, method, operation } = tool
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => placeOf(name, args[name]))
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    if (inPath.has(name) || value === undefined) continue
    if (inQuery.has(name)) query.set(name, textOf(name, value))
    else if (METHODS_WITH_BODY.has(method) && operation.request) body[name] = value
    else throw new WrongArguments(`unknown argument: ${name.slice(0, 100)}`)
  }
  return { path, query, body }
}

/** A call with wrong arguments; the message is for the client. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments'
}

/** What stands in a path cannot lead to another one. */
function placeOf(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^[\da-z-]{1,64}$/i.test(text)) return text.toLowerCase()
  throw new WrongArguments(
    value === undefined ? `${name} is missing` : `${name} is not a UUID, key or number`,
  )
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new WrongArguments(`${name} is not a text or a number`)
}
