/** Sentry's envelopes. Source: https://develop.sentry.dev/sdk/foundations/transport/envelopes/ */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Refusal } from '../../core/errors.js'
import { parseJsonBody } from '../api/json-body.js'

const DECODERS: Readonly<Record<string, typeof gunzipped>> = {
  gzip: gunzipped,
  deflate: promisify(inflate) as typeof gunzipped,
  br: promisify(brotliDecompress) as typeof gunzipped,
}

function gunzipped(body: Uint8Array, options: { maxOutputLength: number }): Promise<Buffer> {
  return promisify(gunzip)(body, options)
}

/** A body without its content encoding. Throws a `Refusal` if it is not valid or has more than `limit` bytes. */
export async function decodedBody(
  body: Uint8Array,
  encoding: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  const name = (encoding ?? 'identity').trim().toLowerCase()
  if (name === 'identity' || name === '') return body
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (!decode) throw new Refusal('invalid', 'unknown content encoding: send gzip, deflate, br or none')
  try {
    return await decode(body, { maxOutputLength: limit })
  } catch {
    throw new Refusal('invalid', `the request body is not ${name}, or larger than ${limit} bytes`)
  }
}

export interface EnvelopeItem {
  type: unknown
  /** Parses the payload. Throws a `Refusal` if it is no JSON object. */
  payload(): Record<string, unknown>
}

const NEWLINE = 10

/** No SDK sends as many lines. */
const MOST_LINES = 4_000

/**
 * The header of an envelope, and a function that reads its items. Both throw a `Refusal` if it is not one.
 */
export function readEnvelope(body: Uint8Array): {
  header: Record<string, unknown>
  items(): EnvelopeItem[]
} {
  let at = 0
  let lines = 0
  const take = (length?: number) => {
    if (++lines > MOST_LINES) throw new Refusal('invalid', 'the envelope has too many lines')
    const next = length === undefined ? body.indexOf(NEWLINE, at) : at + length
    const end = next === -1 ? body.length : next
    if (end > body.length) throw new Refusal('invalid', 'the envelope ends within an item')
    const bytes = body.subarray(at, end)
    at = end + (end < body.length && body[end] === NEWLINE ? 1 : 0)
    return bytes
  }
  if (body.length === 0) throw new Refusal('invalid', 'the envelope is empty')
  const header = parseJsonBody(take())
  const items = () => {
    const found: EnvelopeItem[] = []
    while (at < body.length) {
      const line = take()
      if (line.length === 0) continue
      const { type, length } = parseJsonBody(line)
      const isLength = typeof length === 'number' && Number.isInteger(length) && length >= 0
      const payload = take(isLength ? length : undefined)
      found.push({ type, payload: () => parseJsonBody(payload) })
    }
    return found
  }
  return { header, items }
}
