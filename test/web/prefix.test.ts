import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PingServer } from '../_support/servers/ping-server.js'

test('under a path prefix every address in a page begins with it, and leads somewhere', async t => {
  const { port } = await PingServer.start(t, { prefix: '/monitor' })
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  for (const page of ['/monitor/docs/pinging/', '/monitor/docs/api/', '/monitor/nothing/']) {
    const text = await (await get(page)).text()
    const addresses = [...text.matchAll(/ (?:href|src|action)="(\/[^"#]*)/g)].map(match => match[1]!)
    assert.ok(addresses.length > 5, page)
    for (const address of new Set(addresses)) {
      assert.ok(address.startsWith('/monitor/'), address)
      const { status } = await get(address)
      assert.equal(status, 200, address)
    }
  }
})
