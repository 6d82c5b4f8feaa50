/** The messages of JSON-RPC 2.0. Source: https://www.jsonrpc.org/specification */
import { checkJsonShape } from '../api/json-shape.js'

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603

type Id = string | number

export type Params = Readonly<Record<string, unknown>>

/** A request, or a notification if it has no `id`. */
export interface Message {
  id?: Id
  method: string
  params: Params
}

/** An error that is answered as such. */
export class RpcError extends Error {
  override readonly name = 'RpcError'

  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The JSON of a body. Throws an `RpcError`. */
export function parseRpc(bytes: Uint8Array): unknown {
  try {
    checkJsonShape(bytes)
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new RpcError(PARSE_ERROR, 'the body is not JSON, or is nested too deeply')
  }
}

/** The message that a value is; null for a response, which nothing waits for. Throws an `RpcError`. */
export function messageIn(value: unknown): Message | null {
  if (!isObject(value) || value.jsonrpc !== '2.0') throw notAMessage()
  const { id, method, params = {} } = value
  if (method === undefined && ('result' in value || 'error' in value)) return null
  if (typeof method !== 'string' || !isObject(params)) throw notAMessage()
  if (id === undefined) return { method, params }
  if (!isId(id)) throw notAMessage()
  return { id, method, params }
}

/** The ID in a value, to answer errors with; null if it has none. */
export function idIn(value: unknown): Id | null {
  return isObject(value) && isId(value.id) ? value.id : null
}

/** The response for an error. */
export function errorResponse(id: Id | null, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }
}

/** The response with a result. */
export function resultResponse(id: Id, result: object): object {
  return { jsonrpc: '2.0', id, result }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isFinite(value)
}

function notAMessage(): RpcError {
  return new RpcError(INVALID_REQUEST, 'not a message of JSON-RPC 2.0')
}
