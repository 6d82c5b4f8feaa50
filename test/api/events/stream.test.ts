/** The stream of events: in order, none missed, resumed by ID. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { eventually } from '../../_support/eventually.js'
import { listenEvents, type SentEvent } from '../../_support/servers/event-stream.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, charlie, clock, store, root, changes } = world
const hers = await world.account('Hers', alice.id)
const his = await world.account('His', charlie.id)
const rename = async (name: string, projectId = hers.projectId, by = store) =>
  await by.projects.rename(projectId, name, clock.now())
const nameIn = ({ after }: SentEvent) => after?.name

test('new events come with their types and IDs, and no others', async () => {
  const stream = await listenEvents(root, hers.rw)
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream')
  await rename('Not hers', his.projectId)
  const { uuid } = await world.check(hers, { name: 'Backup' })
  const created = await stream.next()
  assert.deepEqual(
    [created.type, created.object],
    ['check.created', { kind: 'check', id: uuid, name: 'Backup' }],
  )
  assert.equal(created.actor?.kind, 'key')
  await world.ping({ uuid }, '/fail')
  assert.equal((await stream.next()).type, 'check.down')
  assert.equal((await stream.next()).type, 'incident.opened')
  stream.close()
})

test('readers with different rights, at the same time, are each shown what they may see', async () => {
  const { token } = await world.token({ projectId: hers.projectId, role: 'readonly' })
  const streams = [await listenEvents(root, hers.rw), await listenEvents(root, token)]
  const { uuid } = await world.check(hers, { name: 'Seen by both' })
  const [whole, part] = await Promise.all(streams.map(stream => stream.next()))
  for (const stream of streams) stream.close()
  assert.deepEqual([whole!.object.name, part!.object.name], ['Seen by both', 'Seen by both'])
  assert.equal(whole!.object.id, uuid)
  assert.ok(!JSON.stringify(part).includes(uuid))
})

test('events and the log of an applied configuration name the token', async () => {
  const { token } = await world.token({ projectId: hers.projectId, role: 'manager' })
  const stream = await listenEvents(root, token)
  const body = { document: { checks: { applied: { period: '1 d' } } } }
  assert.equal((await world.send('POST', '/api/punctual/v1/config:apply', { key: token, body })).status, 200)
  const event = await stream.next()
  stream.close()
  const [logged] = (await world.get('/api/punctual/v1/log?limit=1', token)).json.items
  for (const { type, actor } of [event, logged]) {
    assert.deepEqual([type, actor?.kind], ['check.created', 'token'])
    assert.ok(actor?.name)
  }
})

test('a stream resumes after Last-Event-ID, without a gap and without a repeat', async () => {
  const first = await listenEvents(root, hers.rw)
  await rename('1')
  const { id } = await first.next()
  first.close()
  for (let n = 2; n <= 700; n++) await rename(String(n))
  const again = await listenEvents(root, hers.rw, { after: id })
  for (let n = 2; n <= 700; n++) assert.equal(nameIn(await again.next()), String(n))
  await rename('701')
  assert.equal(nameIn(await again.next()), '701')
  again.close()
})

test('readers that come while events are written miss none and see each once', async () => {
  const start = (await world.get('/api/punctual/v1/log?limit=1', hers.rw)).json.items[0].id
  const writing = (async () => {
    for (let n = 0; n < 300; n++) await rename(`w${n}`)
  })()
  const readers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const stream = await listenEvents(root, hers.rw, { after: start })
      const names: unknown[] = []
      while (names.length < 300) names.push(nameIn(await stream.next()))
      stream.close()
      return names
    }),
  )
  await writing
  for (const names of readers)
    assert.deepEqual(
      names,
      Array.from({ length: 300 }, (_, n) => `w${n}`),
    )
})

test('events of another process come too, in the order of their IDs', async () => {
  const other = await world.openAnother()
  const stream = await listenEvents(root, hers.rw)
  const write = async (by: typeof store, prefix: string) => {
    for (let n = 0; n < 50; n++) await rename(`${prefix}${n}`, hers.projectId, by)
  }
  await Promise.all([write(store, 'a'), write(other, 'b')])
  const events: SentEvent[] = []
  while (events.length < 100) events.push(await stream.next())
  const ids = events.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  for (const prefix of ['a', 'b']) {
    const own = events.map(nameIn).filter(name => String(name).startsWith(prefix))
    assert.deepEqual(
      own,
      Array.from({ length: 50 }, (_, n) => `${prefix}${n}`),
    )
  }
  stream.close()
  await other.close()
})

test('a stream may be limited to types', async () => {
  const start = (await world.get('/api/punctual/v1/log?limit=1', hers.rw)).json.items[0].id
  const { uuid } = await world.check(hers)
  await world.ping({ uuid }, '/fail')
  const stream = await listenEvents(root, hers.rw, { after: start, query: '?type=incident' })
  assert.equal((await stream.next()).type, 'incident.opened')
  await world.ping({ uuid })
  assert.equal((await stream.next()).type, 'incident.closed')
  stream.close()
  for (const query of ['?type=x', '?type=', '?other=1']) {
    assert.equal((await listenEvents(root, hers.rw, { query })).response.status, 422)
  }
  assert.equal((await listenEvents(root, hers.rw, { after: 'x' })).response.status, 422)
})

test('a stream ends when its token is revoked, and when its person leaves the project', async () => {
  const owner = { projectId: hers.projectId, role: 'member' as const }
  const ofProject = await world.token(owner)
  await store.projects.putMember({
    projectId: hers.projectId,
    userId: bob.id,
    role: 'member',
    now: clock.now(),
  })
  const ofBob = await world.token({ userId: bob.id })
  const query = `?project=${hers.projectUuid}`
  const streams = [
    await listenEvents(root, ofProject.token),
    await listenEvents(root, ofBob.token, { query }),
  ]
  const ended = streams.map(({ next }) =>
    assert.rejects(async () => {
      for (;;) await next()
    }, /the stream ended/),
  )
  await store.projects.revokeApiToken({ projectId: hers.projectId }, ofProject.uuid, clock.now())
  await store.projects.removeMember(hers.projectId, bob.uuid, clock.now())
  clock.advance(2)
  changes.emit('access', {})
  await Promise.all(ended)
})

const API = '/api/punctual/v1'
const SCOPES = ['log:read', 'config:write'] as const
const REVOKED: Record<string, () => Promise<{ credential: string; revoke(): Promise<{ status: number }> }>> =
  {
    'a token of the project by API': async () => {
      const { token, uuid } = await world.token(
        { projectId: hers.projectId, role: 'manager' },
        { scopes: SCOPES },
      )
      const path = `${API}/tokens/${uuid}`
      return { credential: token, revoke: () => world.send('DELETE', path, { key: token }) }
    },
    'a token of a person by API': async () => {
      const { token, uuid } = await world.token({ userId: alice.id }, { scopes: SCOPES })
      const path = `${API}/me/tokens/${uuid}`
      return { credential: token, revoke: () => world.send('DELETE', path, { key: token }) }
    },
    'a token of the project on its page': async () => {
      const { token, uuid } = await world.token(
        { projectId: hers.projectId, role: 'manager' },
        { scopes: SCOPES },
      )
      const path = `/projects/${hers.projectUuid}/tokens/${uuid}/revoke/`
      return { credential: token, revoke: () => alice.post(path) }
    },
    'a token of a person on their page': async () => {
      const { token, uuid } = await world.token({ userId: alice.id }, { scopes: SCOPES })
      return { credential: token, revoke: () => alice.post(`/accounts/tokens/${uuid}/revoke/`) }
    },
    'a key by API': async () => {
      const { token } = await world.token({ projectId: hers.projectId, role: 'manager' })
      const { key, hint } = (await world.send('POST', `${API}/keys`, { key: token, body: { kind: 'rw' } }))
        .json
      return { credential: key, revoke: () => world.send('DELETE', `${API}/keys/${hint}`, { key: token }) }
    },
    'a key on its page': async () => {
      const { token } = await world.token({ projectId: hers.projectId, role: 'manager' })
      const { key, hint } = (await world.send('POST', `${API}/keys`, { key: token, body: { kind: 'rw' } }))
        .json
      const path = `/projects/${hers.projectUuid}/keys/revoke/`
      return { credential: key, revoke: () => alice.post(path, { kind: 'rw', hint }) }
    },
  }

for (const [what, make] of Object.entries(REVOKED)) {
  test(`revoking ${what} ends its streams before the next event`, async () => {
    const { credential, revoke } = await make()
    const stream = await listenEvents(root, credential, {
      query: `?project=${hers.projectUuid}&type=project`,
    })
    assert.equal(stream.response.status, 200)
    await rename('Seen')
    assert.equal(nameIn(await stream.next()), 'Seen')
    assert.ok((await revoke()).status < 400)
    await rename('Unseen')
    await assert.rejects(stream.next(), /the stream ended/)
  })
}

test('a token has at most ten streams, and another when one has ended', async () => {
  const { token } = await world.token({ projectId: hers.projectId, role: 'member' })
  const streams = await Promise.all(Array.from({ length: 10 }, () => listenEvents(root, token)))
  assert.deepEqual(
    streams.map(({ response }) => response.status),
    Array(10).fill(200),
  )
  const refused = await listenEvents(root, token)
  assert.equal(refused.response.status, 429)
  assert.ok(Number(refused.response.headers.get('retry-after')) > 0)
  streams[0]!.close()
  const again = await eventually(async () => {
    const one = await listenEvents(root, token)
    return one.response.status === 200 && one
  })
  for (const stream of [...streams, again]) stream.close()
})

test('HEAD opens no stream', async () => {
  const { token } = await world.token({ projectId: hers.projectId, role: 'member' })
  for (let n = 0; n < 15; n++) {
    const headers = { Authorization: `Bearer ${token}` }
    const { status } = await fetch(`${root}/api/punctual/v1/events`, { method: 'HEAD', headers })
    assert.equal(status, 200)
  }
})

test('streams end when the process stops', async () => {
  const stream = await listenEvents(root, hers.rw)
  changes.emit('closing', {})
  await assert.rejects(stream.next(), /the stream ended/)
})

test('the connection of a reader that reads nothing is closed, and nothing is logged', async t => {
  const logged = [t.mock.method(console, 'error'), t.mock.method(console, 'info')]
  // As if the buffers of the connection were full: they hold megabytes.
  const write = ServerResponse.prototype.write as (piece: unknown) => boolean
  t.mock.method(ServerResponse.prototype, 'write', function (this: ServerResponse, piece: unknown) {
    write.call(this, piece)
    return false
  })
  const headers = { Authorization: `Bearer ${hers.rw}` }
  const request = get(`${root}/api/punctual/v1/events`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let isClosed = false
  response.on('error', () => {})
  response.on('close', () => (isClosed = true))
  response.resume()
  for (let n = 0; n < 1_002; n++) await rename(`e${n}`)
  await eventually(() => isClosed)
  assert.equal(response.complete, false)
  assert.deepEqual(
    logged.flatMap(({ mock }) => mock.calls.map(call => call.arguments)),
    [],
  )
})
