import { BASE_HEADERS } from './headers.js'

type Headers = Readonly<Record<string, string>>

/** The headers of every response. */
export const baseHeaders: Headers = Object.fromEntries(
  Array.from({ length: BASE_HEADERS.length / 2 }, (_, pair) => BASE_HEADERS.slice(pair * 2, pair * 2 + 2)),
)

export const TEXT = 'text/plain; charset=utf-8'
export const HTML = 'text/html; charset=utf-8'

/** A response with the base headers; `headers` are added to them. */
export function respond(
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
  type: string,
  headers: Headers = baseHeaders,
): Response {
  return new Response(body, { status, headers: { ...headers, 'Content-Type': type } })
}
