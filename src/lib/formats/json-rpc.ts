/** A JSON-RPC 2.0 client over a UNIX or TCP socket, one message per line. Source: https://www.jsonrpc.org/specification. */
import { connect, type NetConnectOpts } from 'node:net'
import { DeadlinePassed, withDeadline } from '../http/deadline.js'
import { parseJsonOrNull } from './parse-json-or-null.js'

export interface RpcRequest {
  /** An absolute path, or `host:port`. */
  address: string
  method: string
  params: Readonly<Record<string, unknown>>
  /** Matches the reply to this request. */
  id: string
}

/** The reply: a result or an error. */
export type RpcReply = { result: unknown } | { error: { message: string; data: unknown } }

/** A call without a reply. The message is shown to users and reveals no address. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
}

const LIMIT_MS = 60_000
/** The maximum length of a reply; complete notifications before it do not count. */
const MAX_LINE_LENGTH = 1_048_576

/**
 * Makes a call and waits at most 60 s for the reply. Retries once if the connection fails or closes early. Throws
 * `RpcError`, or the signal's reason when it aborts.
 */
export async function callRpc(
  request: RpcRequest,
  signal?: AbortSignal,
  limitMs: number = LIMIT_MS,
): Promise<RpcReply> {
  try {
    return await withDeadline(limitMs, signal, async within => {
      try {
        return await attempt(request, within)
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        return await attempt(request, within)
      }
    })
  } catch (error) {
    if (error instanceof DeadlinePassed) throw new RpcError('Connection timed out', { cause: error })
    throw error
  }
}

function attempt({ address, method, params, id }: RpcRequest, signal: AbortSignal): Promise<RpcReply> {
  return new Promise((resolve, reject) => {
    const socket = connect(endpoint(address))
    let unread = ''
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      act()
    }
    const fail = (message: string, cause?: unknown) =>
      settle(() => reject(new RpcError(message, cause === undefined ? {} : { cause })))
    const abort = () => settle(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(`${JSON.stringify({ jsonrpc: '2.0', method, params, id })}\n`))
    socket.on('data', (text: string) => {
      const lines = (unread + text).split('\n')
      unread = lines.pop()!
      for (const line of lines) {
        const reply = replyTo(id, line)
        if (reply) return settle(() => resolve(reply))
      }
      if (unread.length > MAX_LINE_LENGTH) fail('The answer was too long')
    })
    socket.on('error', error => fail('Connection failed', error))
    socket.on('close', () => fail('The connection was closed without an answer'))
  })
}

function endpoint(address: string): NetConnectOpts {
  if (address.startsWith('/')) return { path: address }
  const [, host, port] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(address) ?? []
  if (!host || Number(port) > 65_535) throw new RpcError('The address is neither a path nor host:port')
  return { host, port: Number(port) }
}

/** The reply in `line` to the call with this id; null for notifications, other replies and invalid lines. */
function replyTo(id: string, line: string): RpcReply | null {
  const message = parseObject(line)
  if (message === null || message.id !== id) return null
  if (!('error' in message)) return { result: message.result }
  const error = (message.error ?? {}) as Record<string, unknown>
  return { error: { message: String(error.message ?? ''), data: error.data } }
}

function parseObject(line: string): Record<string, unknown> | null {
  const value = parseJsonOrNull(line)
  return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
}
