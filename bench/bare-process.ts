/** A bare node:http server that gives every request the same answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BareAnswer } from './bare.js'

const [{ type, body }] = (await once(process, 'message')) as [BareAnswer]
const headers = ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body))]
const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
