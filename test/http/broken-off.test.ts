/** Clients that leave while they send a body. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world
const check = await world.check(alice, { slug: 'job' })
await world.store.projects.setProtocols(
  alice.projectId,
  ['sentry', 'alertmanager', 'gatus', 'cronitor', 'uptime-kuma'],
  world.clock.now(),
)
const { pingKey } = alice

const PATHS = {
  'a ping': `/ping/${check.uuid}`,
  'the API': `/api/v3/checks/`,
  'Punctual’s own API': '/api/punctual/v1/checks',
  MCP: '/mcp',
  Sentry: `/api/1/envelope/?sentry_key=${pingKey}`,
  Cronitor: `/p/${pingKey}/job?state=complete`,
  Gatus: '/api/v1/endpoints/job/external?success=true',
  Alertmanager: `/ping/${pingKey}/alertmanager`,
  'Uptime Kuma': `/api/push/${check.uuid}?status=up`,
  'a form': '/accounts/login/',
}

for (const [what, path] of Object.entries(PATHS)) {
  test(`a client that breaks off while it sends a body to ${what} is no error`, async () => {
    // The world fails this file if the server reports one.
    const { hostname, port } = new URL(world.root)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const headers = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `X-Api-Key: ${alice.rw}`,
      `Authorization: Bearer ${path.includes('endpoints') ? pingKey : alice.rw}`,
      `User-Agent: ${path.includes('alertmanager') ? 'Alertmanager/0.25' : 'test'}`,
      `Content-Type: ${path.includes('login') ? 'application/x-www-form-urlencoded' : 'application/json'}`,
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
    ]
    socket.write(`${headers.join('\r\n')}\r\n\r\n`)
    // 100 Continue: the server has the headers.
    await once(socket, 'data')
    socket.write('5\r\nhello\r\n')
    socket.destroy()
    await once(socket, 'close')
  })
}
