/** What is kept of a ping. Source: docs/behaviour.md, sections 1.5 to 1.7. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { PingServer } from '../_support/servers/ping-server.js'

describe('the sender’s address is', () => {
  const rows: [string, string, string | null][] = [
    ['the first that the proxy names', '1.2.3.4, 10.0.0.1', '1.2.3.4'],
    ['kept without its port', '1.2.3.4:5678', '1.2.3.4'],
    ['kept as IPv6', '2001:db8::1', '2001:db8::1'],
    ['kept as IPv4-mapped IPv6', '::ffff:1.1.1.1', '::ffff:1.1.1.1'],
    ['kept without brackets and port', '[2001:db8::1]:443', '2001:db8::1'],
    ['not kept when it is none', 'unknown', null],
    ['not kept when it is empty', '', null],
  ]
  for (const [name, header, expected] of rows) {
    test(`${name}: ${JSON.stringify(header)}`, async t => {
      const server = await PingServer.start(t)
      const uuid = await server.addCheck()
      await server.send(`/ping/${uuid}`, { headers: { 'X-Forwarded-For': header } })
      assert.equal((await server.log(uuid))[0]!.remote_addr, expected)
    })
  }

  test('the peer’s without a proxy', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck()
    await server.send(`/ping/${uuid}`)
    assert.equal((await server.log(uuid))[0]!.remote_addr, '127.0.0.1')
  })
})

test('scheme, verb, user agent and run id are kept', async t => {
  const server = await PingServer.start(t)
  const uuid = await server.addCheck()
  const rid = 'ABCDEF01-2345-6789-ABCD-EF0123456789'
  await server.send(`/ping/${uuid}?rid=nonsense&rid=${rid}`, {
    method: 'POST',
    headers: { 'User-Agent': 'x'.repeat(250), 'X-Forwarded-Proto': 'https' },
  })
  const [ping] = await server.log(uuid)
  assert.equal(ping!.scheme, 'https')
  assert.equal(ping!.method, 'POST')
  assert.equal(ping!.ua, 'x'.repeat(200))
  assert.equal(ping!.rid, rid.toLowerCase())
})

describe('a run id', () => {
  for (const rid of [
    '',
    'x',
    '{11111111-1111-1111-1111-111111111111}',
    '1'.repeat(32),
    `${'1'.repeat(8)}-1111-1111-1111-${'1'.repeat(13)}`,
  ]) {
    test(`${JSON.stringify(rid)} is refused and nothing is logged`, async t => {
      const server = await PingServer.start(t)
      const uuid = await server.addCheck()
      for (const path of [uuid, `${uuid}/start`, 'key/backup']) {
        const answer = await server.send(`/ping/${path}?rid=${encodeURIComponent(rid)}`)
        assert.deepEqual([answer.status, answer.body], [400, 'invalid uuid format'])
      }
      assert.deepEqual(await server.log(uuid), [])
    })
  }

  test('may be the nil UUID', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck()
    const rid = '00000000-0000-0000-0000-000000000000'
    assert.equal((await server.send(`/ping/${uuid}?rid=${rid}`)).status, 200)
    assert.equal((await server.log(uuid))[0]!.rid, rid)
  })
})

describe('a body', () => {
  test('is kept byte for byte up to the limit', async t => {
    const server = await PingServer.start(t, { bodyLimit: 10 })
    const uuid = await server.addCheck()
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => 255 - index)
    for (const method of ['POST', 'PUT', 'GET', 'DELETE']) {
      const headers = { 'Content-Length': '256' }
      assert.equal((await server.send(`/ping/${uuid}`, { method, body: bytes, headers })).status, 200)
    }
    for (const n of [1, 2, 3, 4]) assert.deepEqual(await server.body(uuid, n), bytes.slice(0, 10))
  })

  test('that is empty is none', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck()
    await server.send(`/ping/${uuid}`, { method: 'POST', body: '' })
    assert.equal((await server.log(uuid))[0]!.body_url, null)
  })

  test('sent in chunks is kept', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck()
    await server.send(`/ping/${uuid}`, {
      method: 'POST',
      body: 'hello',
      headers: { 'Transfer-Encoding': 'chunked' },
    })
    assert.equal(Buffer.from((await server.body(uuid, 1))!).toString(), 'hello')
  })

  for (const chunked of [false, true]) {
    test(`past the request limit is refused with 400${chunked ? ', sent in chunks too' : ''}`, async t => {
      const server = await PingServer.start(t)
      const uuid = await server.addCheck()
      const headers: Record<string, string> = chunked ? { 'Transfer-Encoding': 'chunked' } : {}
      const answer = await server
        .send(`/ping/${uuid}`, { method: 'POST', body: new Uint8Array(2_621_441), headers })
        .catch(error => error)
      if (!(answer instanceof Error)) assert.equal(answer.status, 400)
      assert.deepEqual(await server.log(uuid), [])
    })
  }

  test('whose sender goes away half-way is not recorded', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck()
    await new Promise<void>(resolve => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(`POST /ping/${uuid} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`, () => {
          setTimeout(() => socket.destroy(), 50)
        })
      })
      socket.on('close', () => resolve())
    })
    assert.equal((await server.send(`/ping/${uuid}`)).status, 200)
    assert.equal((await server.log(uuid)).length, 1)
    assert.deepEqual(server.errors, [])
  })
})

describe('filtering', () => {
  test('by verb logs other verbs as ignored and still answers OK', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck({ methods: 'POST' })
    assert.equal((await server.send(`/ping/${uuid}`)).body, 'OK')
    await server.send(`/ping/${uuid}`, { method: 'POST' })
    assert.deepEqual(
      (await server.log(uuid)).map(ping => ping.type),
      ['success', 'ign'],
    )
    assert.equal((await server.check(uuid)).n_pings, 2)
  })

  test('by body keywords replaces what the URL says', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck({
      filter_http_body: true,
      success_kw: 'ok',
      failure_kw: 'error',
      start_kw: 'go',
    })
    for (const body of ['ok', 'go', 'error: not ok', 'nothing']) {
      await server.send(`/ping/${uuid}/log`, { method: 'POST', body })
    }
    const kinds = (await server.log(uuid)).map(ping => ping.type)
    assert.deepEqual(kinds, ['ign', 'fail', 'start', 'success'])
  })

  test('by body keywords reads a body that is no UTF-8', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck({ filter_http_body: true, failure_kw: 'error' })
    const body = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('error')])
    assert.equal((await server.send(`/ping/${uuid}`, { method: 'POST', body })).status, 200)
    assert.equal((await server.log(uuid))[0]!.type, 'fail')
  })
})

test('the scheme is the proxy’s http or https; another word makes no e-mail of a ping', async t => {
  const server = await PingServer.start(t)
  const schemes = { https: 'https', 'HTTPS, http': 'https', http: 'http', email: 'http', httpsx: 'http' }
  for (const [sent, expected] of Object.entries(schemes)) {
    const uuid = await server.addCheck()
    await server.send(`/ping/${uuid}`, { headers: { 'X-Forwarded-Proto': sent } })
    assert.equal((await server.log(uuid))[0]!.scheme, expected, sent)
  }
})
