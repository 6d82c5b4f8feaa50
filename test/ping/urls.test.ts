/** What is a ping URL and what it answers. Source: docs/behaviour.md, sections 1.1 to 1.3. */
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { describe, test } from 'node:test'
import { PingServer } from '../_support/servers/ping-server.js'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

describe('a ping URL', () => {
  // path (U: the check's UUID), status, body, kind logged
  const rows: [string, number, string, string | null][] = [
    ['/ping/U', 200, 'OK', 'success'],
    ['/ping/U/', 200, 'OK', 'success'],
    ['/ping/U/start', 200, 'OK', 'start'],
    ['/ping/U/fail', 200, 'OK', 'fail'],
    ['/ping/U/log', 200, 'OK', 'log'],
    ['/ping/U/0', 200, 'OK', 'success'],
    ['/ping/U/1', 200, 'OK', 'fail'],
    ['/ping/U/01', 200, 'OK', 'fail'],
    ['/ping/U/000', 200, 'OK', 'success'],
    ['/ping/U/255', 200, 'OK', 'fail'],
    ['/ping/U/256', 400, 'invalid url format', null],
    ['/ping/U/99999999999999999999999999', 400, 'invalid url format', null],
    ['/ping/U/%73tart', 200, 'OK', 'start'],
    ['/ping/U/x', 404, 'not found', null],
    ['/ping/U/-1', 404, 'not found', null],
    ['/ping/U/START', 400, 'invalid url format', null],
    ['/ping/U/start/1', 404, 'not found', null],
    ['/ping/key/backup', 200, 'OK', 'success'],
    ['/ping/key/backup/start', 200, 'OK', 'start'],
    ['/ping/key/backup/fail', 200, 'OK', 'fail'],
    ['/ping/key/backup/log', 200, 'OK', 'log'],
    ['/ping/key/backup/7', 200, 'OK', 'fail'],
    ['/ping/key/backup/256', 400, 'invalid url format', null],
    ['/ping/key/Backup', 400, 'invalid url format', null],
    ['/ping/key/other', 404, 'not found', null],
    ['/ping/KEY/backup', 404, 'not found', null],
    ['/ping/other/backup', 404, 'not found', null],
    [`/ping/${UNKNOWN}`, 404, 'not found', null],
    [`/ping/${UNKNOWN}?rid=bad`, 404, 'not found', null],
    [`/ping/${UNKNOWN}/256`, 404, 'not found', null],
    ['/ping/U/256?rid=bad', 400, 'invalid url format', null],
  ]
  for (const [path, status, body, kind] of rows) {
    test(`${path} answers ${status} ${body}`, async t => {
      const server = await PingServer.start(t)
      const uuid = await server.addCheck()
      const answer = await server.send(path.replace('U', uuid))
      assert.deepEqual([answer.status, answer.body], [status, body])
      const kinds = (await server.log(uuid)).map(ping => ping.type)
      assert.deepEqual(kinds, kind === null ? [] : [kind])
    })
  }

  const notFound = [
    '/ping/',
    '/ping/key',
    '/ping/key/',
    '/ping/U/start/',
    '/ping/U/0/',
    '/ping/U/+1',
    '/ping/U/1.0',
    '/ping/key/backup/',
    '/ping/key/backup/start/',
    '/ping/key/back.up',
  ]
  for (const path of notFound) {
    test(`${path} is none: the generic page answers 404`, async t => {
      const server = await PingServer.start(t)
      const uuid = await server.addCheck()
      const answer = await server.send(path.replace('U', uuid))
      assert.equal(answer.status, 404)
      assert.match(answer.body, /<h1>/)
    })
  }

  test('with the UUID in capitals or without dashes is none', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck()
    assert.match((await server.send(`/ping/${uuid.toUpperCase()}`)).body, /<h1>/)
    assert.match((await server.send(`/ping/${uuid.replaceAll('-', '')}`)).body, /<h1>/)
  })

  test('lies under the path of SITE_ROOT, and only there', async t => {
    const server = await PingServer.start(t, { prefix: '/monitor' })
    const uuid = await server.addCheck()
    assert.equal((await server.send(`/monitor/ping/${uuid}`)).status, 200)
    assert.equal((await server.send(`/ping/${uuid}`)).status, 404)
  })

  test('whose slug two checks share is ambiguous, even with create=1', async t => {
    const server = await PingServer.start(t)
    await server.addCheck({ slug: 'twin' })
    await server.addCheck({ slug: 'twin' })
    for (const query of ['', '?create=1']) {
      const answer = await server.send(`/ping/key/twin${query}`)
      assert.deepEqual([answer.status, answer.body], [409, 'ambiguous slug'])
    }
  })
})

test('a ping that comes as proxies send it, with the whole address in its first line, counts', async t => {
  const server = await PingServer.start(t)
  const uuid = await server.addCheck()
  const answer = await server.send(`http://monitor.example:8000/ping/${uuid}`)
  assert.deepEqual([answer.status, answer.body], [200, 'OK'])
})

test('every verb that the HTTP parser knows counts as a ping and is logged', async t => {
  const server = await PingServer.start(t)
  const uuid = await server.addCheck()
  const verbs = METHODS.filter(verb => verb !== 'CONNECT')
  for (const method of verbs) {
    const answer = await server.send(`/ping/${uuid}`, { method })
    assert.deepEqual([method, answer.status, answer.body], [method, 200, method === 'HEAD' ? '' : 'OK'])
    assert.equal(answer.headers['content-length'], '2')
  }
  const logged = (await server.log(uuid)).map(ping => ping.method)
  assert.deepEqual(logged.reverse(), verbs)
})

describe('the headers of an answer', () => {
  const base = {
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'content-type': 'text/html; charset=utf-8',
  }
  const cache = { 'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private' }
  const open = { 'access-control-allow-origin': '*', 'ping-body-limit': '10000' }
  const names = new Set(Object.keys({ ...base, ...cache, ...open }))
  // path, status, headers
  const rows: [string, number, Record<string, string>][] = [
    ['/ping/U', 200, { ...base, ...cache, ...open }],
    ['/ping/key/backup', 200, { ...base, ...cache, ...open }],
    ['/ping/key/fresh?create=1', 201, { ...base, ...cache, ...open }],
    [`/ping/${UNKNOWN}`, 404, { ...base, ...cache }],
    ['/ping/U/256', 400, { ...base, ...cache }],
    ['/ping/U?rid=x', 400, { ...base, ...cache }],
    ['/ping/key/backup?rid=x', 400, { ...base, ...cache }],
    ['/ping/key/other', 404, base],
    ['/ping/key/BACKUP', 400, base],
  ]
  for (const [path, status, headers] of rows) {
    test(`to ${path}`, async t => {
      const server = await PingServer.start(t)
      const uuid = await server.addCheck()
      const answer = await server.send(path.replace('U', uuid))
      assert.equal(answer.status, status)
      const shown = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => names.has(name)))
      assert.deepEqual(shown, headers)
      assert.equal('expires' in answer.headers, 'cache-control' in headers)
    })
  }

  test('name no body limit where there is none', async t => {
    const server = await PingServer.start(t, { bodyLimit: null })
    const uuid = await server.addCheck()
    assert.equal((await server.send(`/ping/${uuid}`)).headers['ping-body-limit'], undefined)
  })
})
