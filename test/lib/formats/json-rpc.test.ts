import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callRpc } from '../../../src/lib/formats/json-rpc.js'
import { eventually } from '../../_support/eventually.js'
import { openRpcServer } from '../../_support/servers/rpc-server.js'

const request = { method: 'send', params: { message: 'Jürgen\n' }, id: 'a-1' }
const fails = (promise: Promise<unknown>, message: string) =>
  assert.rejects(promise, { name: 'RpcError', message })

for (const tcp of [false, true]) {
  test(`a call over ${tcp ? 'TCP' : 'a UNIX socket'} arrives as one line, and its reply comes back`, async t => {
    const server = await openRpcServer(t, () => ({ result: { timestamp: 7 } }), { tcp })
    const reply = await callRpc({ ...request, address: server.address })
    assert.deepEqual(reply, { result: { timestamp: 7 } })
    assert.deepEqual(server.calls, [{ jsonrpc: '2.0', ...request }])
  })
}

test('notifications, other replies and invalid lines before the reply are ignored', async t => {
  const server = await openRpcServer(t, (_call, socket) => {
    const lines = [
      '{"jsonrpc":"2.0","method":"receive","params":{"envelope":{}}}',
      '{"jsonrpc":"2.0","id":"another","result":"wrong"}',
      'noise',
      '{"jsonrpc":"2.0","id":"a-1","result":"rìght"}\n',
    ]
    const bytes = Buffer.from(lines.join('\n'))
    const cut = bytes.indexOf('ì') + 1
    socket.write(bytes.subarray(0, cut))
    setTimeout(() => socket.write(bytes.subarray(cut)), 20)
    return undefined
  })
  assert.deepEqual(await callRpc({ ...request, address: server.address }), { result: 'rìght' })
})

test('an error reply is returned with its message and data', async t => {
  const error = { code: -1, message: 'no', data: { why: 1 } }
  const server = await openRpcServer(t, () => ({ error }))
  assert.deepEqual(await callRpc({ ...request, address: server.address }), {
    error: { message: 'no', data: { why: 1 } },
  })
})

test('a connection that ends early is retried once', async t => {
  let times = 0
  const server = await openRpcServer(t, (_call, socket) => {
    if (++times !== 2) socket.destroy()
    return { result: times }
  })
  assert.deepEqual(await callRpc({ ...request, address: server.address }), { result: 2 })
  times = 2
  const failing = callRpc({ ...request, address: server.address })
  await fails(failing, 'The connection was closed without an answer')
  assert.equal(times, 4)
})

test('a silent server is dropped at the time limit, and a missing one at once', async t => {
  const server = await openRpcServer(t, () => undefined)
  await fails(callRpc({ ...request, address: server.address }, undefined, 500), 'Connection timed out')
  await eventually(() => server.calls.length === 1)
  await fails(callRpc({ ...request, address: `${server.address}-nowhere` }), 'Connection failed')
  await fails(callRpc({ ...request, address: 'nowhere' }), 'The address is neither a path nor host:port')
})

test('an abort ends the call with its reason', async t => {
  const server = await openRpcServer(t, () => undefined)
  const controller = new AbortController()
  const reason = new Error('shutting down')
  const call = callRpc({ ...request, address: server.address }, controller.signal)
  setTimeout(() => controller.abort(reason), 20)
  await assert.rejects(call, reason)
})
