/**
 * `/mcp`: Punctual's own API as tools of the Model Context Protocol, over Streamable HTTP without sessions and streams.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
import type { Context, Hono } from 'hono'
import { Refusal } from '../../core/errors.js'
import { may } from '../../core/people/role.js'
import { inTurns } from '../../lib/in-turns.js'
import { once } from '../../lib/once.js'
import { rawBody } from '../api/admit.js'
import { settleRefusal } from '../api/settle-refusal.js'
import { apiDocument } from '../api-document.js'
import { isBrokenOff, LARGEST_BODY } from '../body.js'
import { addressOf } from '../client.js'
import type { AppDeps, Bindings } from '../deps.js'
import { failureOf } from '../errors.js'
import { allowCaller, neededRole } from '../native/serve/access.js'
import { credentialIn } from '../native/serve/authenticate.js'
import type { Caller } from '../native/serve/caller.js'
import { limitHeaders } from '../native/serve/rate-limit.js'
import type { NativeParts } from '../native/serve-native-api.js'
import { baseHeaders, respond } from '../responses.js'
import { queryOf } from '../url.js'
import type { Ask } from './call-tool.js'
import {
  errorResponse,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  idIn,
  messageIn,
  parseRpc,
  RpcError,
  resultResponse,
} from './json-rpc.js'
import { answerRequest, type McpCaller, PROTOCOL_VERSIONS, WITH_BATCHES } from './protocol.js'
import { type Tool, toolsOf } from './tools.js'

type Api = Hono<{ Bindings: Bindings }>
type McpContext = Context<{ Bindings: Bindings }>

const PATH = '/mcp'
const MOST_IN_BATCH = 20
const HEADERS = { ...baseHeaders, 'Cache-Control': 'no-store' }

/** Whether a URL, whose path begins at `at`, is that of the MCP server. */
export function isForMcp(url: string, at: number): boolean {
  return url.startsWith(PATH, at) && /^\/?(\?|$)/.test(url.slice(at + PATH.length))
}

/** Adds the route to `api`, whose operations become tools. */
export function serveMcp(api: Api, deps: AppDeps, parts: NativeParts): void {
  const tools = once(async () => await inTurns(toolsOf(await apiDocument(deps.config, 'punctual/v1'))))
  for (const path of [PATH, `${PATH}/`]) api.all(path, c => answerMcp(c, { api, deps, parts, tools }))
}

interface McpParts {
  api: Api
  deps: AppDeps
  parts: NativeParts
  tools(): Promise<ReadonlyMap<string, Tool>>
}

async function answerMcp(c: McpContext, mcp: McpParts): Promise<Response> {
  const { deps, parts } = mcp
  const request = c.req.raw
  const { incoming } = c.env
  const header = (name: string) => request.headers.get(name)
  const refused = refusalOf(request.method, header, deps.config.SITE_ROOT)
  if (refused) return failed(refused.status, new RpcError(INVALID_REQUEST, refused.detail), refused.headers)
  let headers: Record<string, string> = {}
  try {
    const credential = credentialIn(header)
    const address = addressOf(deps.config, incoming)
    const found = await parts.callers.find(credential, address)
    const body = parseRpc(await rawBody(incoming, LARGEST_BODY))
    const messages = Array.isArray(body) ? batchIn(body, header('MCP-Protocol-Version')) : [body]
    // A call of a tool counts where it is carried out.
    if (!messages.every(isToolCall)) {
      const allowance = parts.limits.take(credential, deps.clock.now())
      headers = limitHeaders(allowance)
      if (allowance?.waitSeconds != null) throw new Refusal('too-many', 'too many requests')
    }
    const caller: McpCaller = {
      ask: askOf(c, mcp.api),
      who: whoIs(found),
      isWanted: () => !c.env.outgoing.destroyed,
      clock: deps.clock,
      credential,
      project: queryOf(request.url).get('project'),
      tools: allowedTools(await mcp.tools(), found),
      siteName: deps.config.SITE_NAME,
    }
    const answers: string[] = []
    for (const message of messages) {
      const answer = await answerOne(caller, message, deps.onError)
      // Each is written at once: together they may be megabytes.
      if (answer !== null) answers.push(JSON.stringify(answer))
    }
    if (answers.length === 0) return new Response(null, { status: 202, headers: HEADERS })
    return jsonText(200, Array.isArray(body) ? `[${answers.join(',')}]` : answers[0]!, headers)
  } catch (error) {
    if (isBrokenOff(incoming)) return new Response(null, { status: 400 })
    if (error instanceof RpcError) return failed(400, error, headers)
    const refused = await settleRefusal(deps, request, incoming, { error, route: PATH })
    const { status, message, headers: wait } = failureOf(refused, deps.onError)
    const more = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : wait
    const code = status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST
    return failed(status, new RpcError(code, message), { ...headers, ...more })
  }
}

/** Why a request is refused before anything else is looked at; null if it is not. */
function refusalOf(method: string, header: (name: string) => string | null, siteRoot: string) {
  const origin = header('Origin')
  if (origin !== null && origin !== new URL(siteRoot).origin) {
    return { status: 403, detail: 'requests of pages of other sites are refused' }
  }
  if (method !== 'POST') {
    return {
      status: 405,
      detail: 'there are no streams and no sessions: use POST',
      headers: { Allow: 'POST' },
    }
  }
  if (!/^application\/json\b/i.test(header('Content-Type') ?? '')) {
    return { status: 415, detail: 'the Content-Type is not application/json' }
  }
  if (!/(application|\*)\/(json|\*)/i.test(header('Accept') ?? '*/*')) {
    return { status: 406, detail: 'answers are application/json, which Accept does not allow' }
  }
  const version = header('MCP-Protocol-Version')
  if (version !== null && !PROTOCOL_VERSIONS.includes(version)) {
    return { status: 400, detail: `unsupported protocol version; supported: ${PROTOCOL_VERSIONS.join(', ')}` }
  }
  return null
}

function batchIn(batch: unknown[], version: string | null): unknown[] {
  if ((version ?? WITH_BATCHES) !== WITH_BATCHES) {
    throw new RpcError(INVALID_REQUEST, `only the protocol version ${WITH_BATCHES} has batches`)
  }
  if (batch.length === 0 || batch.length > MOST_IN_BATCH) {
    throw new RpcError(INVALID_REQUEST, `a batch has 1 to ${MOST_IN_BATCH} messages`)
  }
  return batch
}

function isToolCall(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'tools/call'
}

/** The response to one message; null if it has none. */
async function answerOne(
  caller: McpCaller,
  value: unknown,
  onError: AppDeps['onError'],
): Promise<object | null> {
  try {
    const message = messageIn(value)
    if (message?.id === undefined) return null
    return resultResponse(message.id, await answerRequest(caller, message))
  } catch (error) {
    if (error instanceof RpcError) return errorResponse(idIn(value), error)
    onError(error)
    return errorResponse(idIn(value), new RpcError(INTERNAL_ERROR, 'internal error'))
  }
}

/** The tools whose scope or key the caller has; the role in the project is checked when one is called. */
function allowedTools(all: ReadonlyMap<string, Tool>, caller: Caller): ReadonlyMap<string, Tool> {
  return new Map([...all].filter(([, { operation }]) => isAllowed(caller, operation)))
}

function isAllowed(caller: Caller, operation: Tool['operation']): boolean {
  try {
    allowCaller(caller, operation)
    return caller.key !== null || caller.project === null || may(caller.project.role, neededRole(operation))
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function whoIs({ personId, project }: Caller): string {
  return personId === null ? `project ${project!.id}` : `person ${personId}`
}

/** Requests to the API in the name of whoever sent this one. */
function askOf(c: McpContext, api: Api): Ask {
  const sent = c.req.raw.headers
  return async (method, address, body, more = {}) => {
    const headers = new Headers(more as Record<string, string>)
    for (const name of ['Authorization', 'X-Api-Key']) {
      const value = sent.get(name)
      if (value !== null) headers.set(name, value)
    }
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
    const request = new Request(new URL(address, c.req.url), { method, headers })
    return await api.fetch(request, { ...c.env, body: bytes })
  }
}

function jsonText(status: number, text: string, headers: object): Response {
  return respond(status, text, 'application/json', { ...HEADERS, ...headers })
}

/** A response to what is no request that could be answered. */
function failed(status: number, error: RpcError, headers: object = {}): Response {
  return jsonText(status, JSON.stringify(errorResponse(null, error)), headers)
}
