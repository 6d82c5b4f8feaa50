import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface RecordedRequest {
  method: string
  /** Path and query, as received. */
  url: string
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: string
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string
}

export interface Recorder {
  /** `http://127.0.0.1:PORT` */
  url: string
  port: number
  requests: RecordedRequest[]
}

type Respond = (request: RecordedRequest, response: ServerResponse) => Answer | undefined

/**
 * An HTTP server that records its requests, closed when the test ends. `respond` returns the response, or writes one
 * itself and returns nothing; by default 200 with `OK`.
 */
export async function openRecorder(
  t: Pick<TestContext, 'after'>,
  respond: Respond = () => ({}),
  host = '127.0.0.1',
): Promise<Recorder> {
  const requests: RecordedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const request: RecordedRequest = {
      method: incoming.method!,
      url: incoming.url!,
      headers: incoming.headers,
      rawHeaders: incoming.rawHeaders,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(request)
    const answer = respond(request, response)
    if (answer) response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? 'OK')
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, requests }
}
