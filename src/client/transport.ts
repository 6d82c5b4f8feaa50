import { ApiError } from './api-error.js'

export interface ClientOptions {
  /** The installation's base address, such as `https://punctual.example.org`. */
  url: string
  /** The time limit of a response, in milliseconds; 10,000 by default. */
  timeoutMs?: number
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch
}

export interface Exchange {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** After the base address, with a slash at the beginning. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

const TIMEOUT_MS = 10_000

/** Sends a request. Throws an `ApiError` unless the response is a success; errors of `fetch` pass through. */
export async function exchange(options: ClientOptions, { path, ...request }: Exchange): Promise<Response> {
  const send = options.fetch ?? fetch
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  const response = await send(options.url.replace(/\/+$/, '') + path, { ...request, signal })
  if (response.ok) return response
  throw new ApiError(response.status, messageOf(await response.text()) || response.statusText)
}

function messageOf(text: string): string {
  try {
    const { error, detail, errors = [] } = JSON.parse(text)
    const wrong = errors.map((one: { detail: string }) => one.detail)
    return [String(error ?? detail), ...wrong].join('; ')
  } catch {
    return text
  }
}
