/**
 * A client for S3-compatible object storage. The operator configures it, so its address may be private. Every request is
 * signed (AWS Signature Version 4) and limited in time and size; connections are reused.
 */
import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import { withDeadline } from '../http/deadline.js'
import { type BucketPlace, bucketAddress } from './s3-address.js'
import { S3Error } from './s3-error.js'

export interface S3Options extends BucketPlace {
  accessKey: string
  secretKey: string
  /** The time limit of a request, in ms. */
  timeoutMs: number
  /** The maximum size of an object to read, in bytes. */
  maxBytes: number
}

/** The maximum size of any other response. */
const MAX_REPLY_BYTES = 1_048_576

const CONNECTIONS = 32

interface Exchange {
  method: 'GET' | 'PUT' | 'POST'
  /** The object's key; empty for the bucket itself. */
  key: string
  query?: string
  body?: Uint8Array
  headers?: Record<string, string>
  maxBytes?: number
  timeoutMs?: number
}

/** Every method throws `S3Error` if the storage refuses or cannot be reached, or the signal's reason when it aborts. */
export class S3Client {
  readonly #agent: Agent
  readonly #base: URL
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  constructor(private readonly options: S3Options) {
    this.#agent = new Agent({
      connections: CONNECTIONS,
      keepAliveTimeout: 30_000,
      connect: { timeout: Math.min(options.timeoutMs, 10_000) },
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    })
    this.#base = bucketAddress(options)
  }

  async put(key: string, body: Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.#exchange({ method: 'PUT', key, body }, signal)
  }

  /** An object's bytes, or null if it does not exist. */
  async get(key: string, timeoutMs = this.options.timeoutMs): Promise<Uint8Array | null> {
    try {
      return await this.#exchange({ method: 'GET', key, maxBytes: this.options.maxBytes, timeoutMs })
    } catch (error) {
      if (error instanceof S3Error && error.code === 'NoSuchKey') return null
      throw error
    }
  }

  /** Deletes at most 1,000 objects, which need not exist. Returns the keys that could not be deleted. */
  async remove(keys: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const objects = keys.map(key => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('')
    const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects}</Delete>`)
    const md5 = createHash('md5').update(body).digest('base64')
    const headers = { 'Content-MD5': md5, 'Content-Type': 'application/xml' }
    const reply = await this.#exchange({ method: 'POST', key: '', query: '?delete=', body, headers }, signal)
    const errors =
      Buffer.from(reply)
        .toString()
        .match(/<Error>[\s\S]*?<\/Error>/g) ?? []
    const left = new Set(errors.map(error => textOf(error, 'Key')))
    return keys.filter(key => left.has(key))
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #exchange(exchange: Exchange, signal?: AbortSignal): Promise<Uint8Array> {
    try {
      return await withDeadline(exchange.timeoutMs ?? this.options.timeoutMs, signal, within =>
        this.#send(exchange, within),
      )
    } catch (error) {
      if (error instanceof S3Error || signal?.aborted) throw error
      throw new S3Error('Unreachable', error instanceof Error ? error.message : String(error), error)
    }
  }

  async #send({ method, key, query = '', body, headers, maxBytes }: Exchange, signal: AbortSignal) {
    const bucket = this.#base.pathname.replace(/\/$/, '')
    const url = new URL((key === '' ? bucket || '/' : `${bucket}/${key}`) + query, this.#base)
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'X-Amz-Content-Sha256': digest },
      accessKeyId: this.options.accessKey,
      secretAccessKey: this.options.secretKey,
      service: 's3',
      region: this.options.region,
      cache: this.#signingKeys,
    }).sign()
    const answer = await this.#agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      signal,
    })
    const ok = answer.statusCode >= 200 && answer.statusCode < 300
    const bytes = await bytesOf(answer, ok ? (maxBytes ?? MAX_REPLY_BYTES) : MAX_REPLY_BYTES)
    if (!ok) throw refusalOf(answer.statusCode, Buffer.from(bytes).toString())
    return bytes
  }
}

async function bytesOf({ body }: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw new S3Error('TooLarge', `the answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? new Uint8Array(chunks[0]!) : new Uint8Array(Buffer.concat(chunks))
}

function refusalOf(status: number, xml: string): S3Error {
  // A proxy may remove the body of the response for a missing object.
  const code = textOf(xml, 'Code') || (status === 404 ? 'NoSuchKey' : `Status${status}`)
  return new S3Error(code, textOf(xml, 'Message') || `status ${status}`)
}

/** The text of the first element with this name. Keys and codes contain nothing that XML escapes. */
function textOf(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? ''
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, found => `&#${found.charCodeAt(0)};`)
}
