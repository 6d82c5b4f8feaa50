/** See thread-server.ts. The answers have the headers of a ping's answer, and a batch has the data of its pings. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { BASE_HEADERS, expiresNow } from '../src/http/headers.js'

/** The minimum number of bytes that a ping adds to SQLite's log: a page of the log's index. */
const PAGE = 4096

if (isMainThread) serve(process.argv[2]!)
else write(workerData as string)

function serve(folder: string): void {
  const thread = new Worker(new URL(import.meta.url), { workerData: folder })
  let waiting: { ping: object; response: ServerResponse }[] = []
  let answering: typeof waiting = []
  let busy = false
  const send = () => {
    busy = waiting.length > 0
    if (!busy) return
    answering = waiting
    waiting = []
    thread.postMessage(answering.map(({ ping }) => ping))
  }
  thread.on('message', (outcomes: string[]) => {
    const answered = answering
    send()
    for (const [index, outcome] of outcomes.entries()) {
      answered[index]!.response.writeHead(200, [
        ...BASE_HEADERS,
        'Cache-Control',
        'max-age=0, no-cache, no-store, must-revalidate, private',
        'Expires',
        expiresNow(),
        'Access-Control-Allow-Origin',
        '*',
        'Ping-Body-Limit',
        '10000',
        'Content-Type',
        'text/html; charset=utf-8',
        'Content-Length',
        '2',
      ])
      answered[index]!.response.end(outcome)
    }
  })
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const ping = {
      target: { uuid: request.url!.slice(6) },
      action: 'success',
      exitStatus: null,
      rid: null,
      durationMs: null,
      invalid: null,
      arrivedAt: Date.now(),
      arrivedUs: 0,
      scheme: 'http',
      remoteAddr: request.socket.remoteAddress,
      method: request.method,
      ua: request.headers['user-agent'] ?? '',
      body: null,
    }
    waiting.push({ ping, response })
    // Requests that arrive in the same turn of the event loop share the first batch.
    if (!busy) {
      busy = true
      setImmediate(send)
    }
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

function write(folder: string): void {
  const path = join(folder, `batches-${process.pid}`)
  const file = openSync(path, 'w')
  rmSync(path)
  process.on('exit', () => closeSync(file))
  parentPort!.on('message', (pings: object[]) => {
    // Writes over the same place each time, as SQLite does with its write-ahead log.
    writeSync(file, Buffer.alloc(pings.length * PAGE, 1), 0, pings.length * PAGE, 0)
    fdatasyncSync(file)
    parentPort!.postMessage(pings.map(() => 'OK'))
  })
}
