import { respondCompressed } from '../../compress.js'
import { baseHeaders } from '../../responses.js'
import type { Done } from './carry-out.js'

const HEADERS = { ...baseHeaders, 'Cache-Control': 'no-store' }
const JSON_TYPE = 'application/json'

/** The response with an answer, its headers and `others`. */
export async function toResponse(
  { answer, headers }: Done,
  accepted: string | null,
  others: Readonly<Record<string, string>>,
): Promise<Response> {
  if (answer instanceof Response) {
    for (const [name, value] of Object.entries({ ...headers, ...others })) answer.headers.set(name, value)
    return answer
  }
  const { status, body, type = JSON_TYPE } = answer
  const all = { ...HEADERS, ...headers, ...others, 'Content-Type': type }
  if (status === 204) return new Response(null, { status, headers: { ...HEADERS, ...headers, ...others } })
  return await respondCompressed(
    accepted,
    status,
    body as Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
    all,
  )
}
