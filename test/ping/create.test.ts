/** Checks that the first ping makes. Source: docs/behaviour.md, section 1.4. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PingServer } from '../_support/servers/ping-server.js'

describe('create=1', () => {
  // path after the slug, status of the new check, running
  const rows: [string, string, boolean][] = [
    ['', 'up', false],
    ['/start', 'new', true],
    ['/fail', 'down', false],
    ['/7', 'down', false],
    ['/log', 'new', false],
  ]
  for (const [suffix, status, started] of rows) {
    test(`with ${suffix || 'a success'} makes a check that is ${status}${started ? ', running' : ''}`, async t => {
      const server = await PingServer.start(t)
      const answer = await server.send(`/ping/key/fresh${suffix}?create=1`)
      assert.deepEqual([answer.status, answer.body], [201, 'Created'])
      const [check] = await server.checks()
      assert.deepEqual(
        [
          check!.name,
          check!.slug,
          check!.status,
          check!.started,
          check!.timeout,
          check!.grace,
          check!.tags,
          check!.n_pings,
        ],
        ['fresh', 'fresh', status, started, 86400, 3600, '', 1],
      )
    })
  }

  test('assigns every integration of the project', async t => {
    const server = await PingServer.start(t)
    const channels = [await server.addChannel(), await server.addChannel()]
    await server.send('/ping/key/fresh?create=1')
    const [check] = await server.checks()
    assert.equal(check!.channels, channels.sort().join(','))
  })

  test('works with HEAD', async t => {
    const server = await PingServer.start(t)
    const answer = await server.send('/ping/key/fresh?create=1', { method: 'HEAD' })
    assert.deepEqual([answer.status, answer.body, answer.headers['content-length']], [201, '', '7'])
  })

  test('pings the check that is there', async t => {
    const server = await PingServer.start(t)
    const uuid = await server.addCheck()
    assert.equal((await server.send('/ping/key/backup?create=1')).status, 200)
    assert.equal((await server.check(uuid)).n_pings, 1)
  })

  for (const query of ['', '?create=0', '?create=true', '?create=11', '?create=1&create=0']) {
    test(`written as ${JSON.stringify(query)} makes nothing`, async t => {
      const server = await PingServer.start(t)
      assert.equal((await server.send(`/ping/key/fresh${query}`)).status, 404)
      assert.deepEqual(await server.checks(), [])
    })
  }

  test('of two first pings at once makes one check', async t => {
    const server = await PingServer.start(t)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server.send('/ping/key/fresh?create=1')),
    )
    assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
    const checks = await server.checks()
    assert.deepEqual(
      checks.map(check => check.n_pings),
      [8],
    )
  })

  for (const suffix of ['?rid=bad&create=1', '/256?create=1']) {
    test(`with a request that is wrong otherwise (${suffix}) makes the check and answers 400`, async t => {
      const server = await PingServer.start(t)
      assert.equal((await server.send(`/ping/key/fresh${suffix}`)).status, 400)
      const [check] = await server.checks()
      assert.deepEqual([check!.slug, check!.n_pings, check!.status], ['fresh', 0, 'new'])
    })
  }

  test('is refused at twice the account’s limit of checks', async t => {
    const server = await PingServer.start(t, { settings: { checkLimit: 2 } })
    for (const slug of ['a', 'b', 'c', 'd']) {
      assert.equal((await server.send(`/ping/key/${slug}?create=1`)).status, 201)
    }
    const answer = await server.send('/ping/key/e?create=1')
    assert.deepEqual([answer.status, answer.body], [404, 'not found'])
    assert.equal((await server.checks()).length, 4)
  })

  test('with a slug that is too long is refused with 400 and makes nothing', async t => {
    const server = await PingServer.start(t)
    assert.equal((await server.send(`/ping/key/${'s'.repeat(100)}?create=1`)).status, 201)
    const answer = await server.send(`/ping/key/${'s'.repeat(101)}?create=1`)
    assert.deepEqual([answer.status, answer.body], [400, 'invalid url format'])
    assert.equal((await server.checks()).length, 1)
  })

  test('means nothing for a UUID', async t => {
    const server = await PingServer.start(t)
    assert.equal((await server.send('/ping/00000000-0000-4000-8000-000000000000?create=1')).status, 404)
  })
})
