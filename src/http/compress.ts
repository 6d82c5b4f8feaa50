import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { promisify } from 'node:util'
import { createGzip, gzip as gzipCallback } from 'node:zlib'
import { accepts } from '../lib/http/encoded.js'

/** The smallest body that is worth compressing, in bytes. */
const LEAST_BYTES = 1_024

/** The largest body that is compressed before any of it is sent, in bytes. A longer one is sent as it is compressed. */
const WHOLE_BYTES = 131_072

/** A list of 10,000 checks is compressed to an eighth in 27 ms; level 6 takes 68 ms for 2 % less. */
const OPTIONS = { level: 1, chunkSize: WHOLE_BYTES }

const gzip = promisify<Uint8Array, typeof OPTIONS, Buffer<ArrayBuffer>>(gzipCallback)

/** Whether a body is so long that compressing it saves time. */
export function isWorthCompressing(body: string | Uint8Array): boolean {
  return body.length >= LEAST_BYTES
}

/** Compresses a whole body on another thread. */
export async function gzipped(body: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return await gzip(body, OPTIONS)
}

/**
 * A response with these headers, compressed with gzip if the client's `Accept-Encoding` (null: none) allows it and the
 * body is long enough. Another thread compresses, so that the event loop is not blocked.
 */
export async function respondCompressed(
  accepted: string | null,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const isStream = body instanceof ReadableStream
  if (accepted === null || !(isStream || isWorthCompressing(body)) || !accepts(accepted, 'gzip')) {
    return new Response(body, { status, headers })
  }
  const encoded = { ...headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }
  if (isStream) {
    const gzip = createGzip(OPTIONS)
    // An error ends both; the server then breaks off the answer.
    pipeline(Readable.fromWeb(body as NodeStream), gzip, () => {})
    return new Response(Readable.toWeb(gzip) as ReadableStream, { status, headers: encoded })
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes.length <= WHOLE_BYTES) {
    return new Response(await gzipped(bytes), { status, headers: encoded })
  }
  const stream = createGzip(OPTIONS)
  stream.end(bytes)
  return new Response(Readable.toWeb(stream) as ReadableStream, { status, headers: encoded })
}
