/** The rules of `/mcp` for requests and messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ app: { API_REQUESTS_PER_MINUTE: 1000 } })
const { alice, clock } = world
const project = { projectId: alice.projectId, role: 'member' as const }
const { token, uuid } = await world.token(project)
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const TYPES = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

const post = (body: unknown, headers: Record<string, string> = {}, key = token) =>
  world.send('POST', '/mcp', { key, body, headers: { ...TYPES, ...headers } })

test('requests are answered, notifications and responses are accepted', async () => {
  assert.deepEqual((await post(PING)).json, { jsonrpc: '2.0', id: 1, result: {} })
  assert.equal((await world.send('POST', '/mcp/', { key: token, body: PING, headers: TYPES })).status, 200)
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const { status, text } = await post(body)
    assert.deepEqual([status, text], [202, ''])
  }
  const asked = async (protocolVersion: string) =>
    (await post({ ...PING, method: 'initialize', params: { protocolVersion } })).json.result.protocolVersion
  assert.equal(await asked('2025-06-18'), '2025-06-18')
  assert.equal(await asked('1999-01-01'), '2025-11-25')
})

test('rubbish is answered with the errors of JSON-RPC', async () => {
  const error = async (body: unknown) => {
    const { status, json } = await post(body)
    return [status, json.error.code]
  }
  assert.deepEqual(await error('{'), [400, -32700])
  assert.deepEqual(await error(''), [400, -32700])
  assert.deepEqual(await error('['.repeat(100)), [400, -32700])
  for (const body of [
    'null',
    '7',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1}',
  ]) {
    assert.deepEqual(await error(body), [200, -32600], body)
  }
  assert.deepEqual(await error({ ...PING, id: null }), [200, -32600])
  assert.deepEqual(await error({ ...PING, params: [] }), [200, -32600])
  assert.deepEqual(await error({ ...PING, method: 'resources/list' }), [200, -32601])
  const call = { ...PING, method: 'tools/call' }
  assert.deepEqual(await error(call), [200, -32602])
  assert.deepEqual(await error({ ...call, params: { name: 'list_checks', arguments: [] } }), [200, -32602])
  assert.deepEqual(await error({ ...call, params: { name: '__proto__' } }), [200, -32602])
  const tooLarge = await post({ ...PING, params: { text: 'x'.repeat(2_700_000) } })
  assert.equal(tooLarge.status, 400)
  assert.match(tooLarge.json.error.message, /larger than/)
})

test('batches are answered in the one version that has them', async () => {
  const batch = [PING, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...PING, id: 'b' }, 7]
  const ids = (await post(batch)).json.map((one: { id: unknown }) => one.id)
  assert.deepEqual(ids, [1, 'b', null])
  assert.equal((await post([batch[1]])).status, 202)
  assert.equal((await post(batch, { 'MCP-Protocol-Version': '2025-11-25' })).status, 400)
  assert.equal((await post([])).status, 400)
  assert.equal((await post(Array(21).fill(PING))).status, 400)
})

test('methods, origins, types and versions that do not fit are refused', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await world.send(method, '/mcp', { key: token, headers: TYPES })
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
  }
  for (const Origin of ['https://evil.example', 'null', `${world.config.SITE_ROOT}.evil.example`]) {
    assert.equal((await post(PING, { Origin })).status, 403)
  }
  assert.equal((await post(PING, { Origin: new URL(world.config.SITE_ROOT).origin })).status, 200)
  assert.equal((await post(PING, { 'Content-Type': 'text/plain' })).status, 415)
  assert.equal((await post(PING, { Accept: 'text/html' })).status, 406)
  assert.equal((await post(PING, { 'MCP-Protocol-Version': '1999-01-01' })).status, 400)
})

test('tokens that are missing, wrong, expired or revoked are refused, and keys do what they do in the API', async () => {
  const refused = async (key: string) => {
    const { status, headers, json } = await post(PING, {}, key)
    return [status, headers.get('www-authenticate'), json.error.message]
  }
  assert.deepEqual(await refused('pun_wrong'), [401, 'Bearer', 'missing api key'])
  const without = await world.send('POST', '/mcp', { body: PING, headers: TYPES })
  assert.deepEqual([without.status, without.headers.get('www-authenticate')], [401, 'Bearer'])
  const brief = await world.token(project, { expiresAt: clock.now() + 1000 })
  assert.equal((await post(PING, {}, brief.token)).status, 200)
  clock.advance(1000)
  assert.equal((await refused(brief.token))[2], 'the API token has expired')
  const tools = async (key: string) =>
    (await post({ ...PING, method: 'tools/list' }, {}, key)).json.result.tools.map(
      (one: { name: string }) => one.name,
    )
  assert.ok((await tools(alice.rw)).includes('delete_check'))
  assert.ok(!(await tools(alice.ro)).includes('create_check'))
  assert.ok((await tools(alice.ro)).includes('list_checks'))
  await world.store.projects.revokeApiToken({ projectId: alice.projectId }, uuid, clock.now())
  clock.advance(1001)
  assert.equal((await post(PING)).status, 401)
})

test('the limit of requests holds for messages and for calls of tools', async () => {
  const limited = (await world.token(project)).token
  const call = { ...PING, method: 'tools/call', params: { name: 'list_policies' } }
  const before = (await post(PING, {}, limited)).headers.get('ratelimit')!
  await post(call, {}, limited)
  const after = (await post(PING, {}, limited)).headers.get('ratelimit')!
  const left = (text: string) => Number(/r=(\d+)/.exec(text)![1])
  assert.equal(left(before) - left(after), 2)
})

test('a client of the version without a handshake works too', async t => {
  const { token: other } = await world.token(project)
  const headers = { Authorization: `Bearer ${other}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${world.root}/mcp`), {
    requestInit: { headers },
  })
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  t.after(() => client.close())
  await client.connect(transport)
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'explain_check'))
  const { content } = await client.callTool({ name: 'list_policies', arguments: {} })
  assert.deepEqual(content, [{ type: 'text', text: 'None found.' }])
})
