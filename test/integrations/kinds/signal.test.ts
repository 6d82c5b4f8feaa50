import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { signal } from '../../../src/integrations/kinds/signal/signal.js'
import { aDestination, aNotice, anAlert, aPing, testWays } from '../../_support/alert.js'
import { openRpcServer, type RpcCall } from '../../_support/servers/rpc-server.js'

const NUMBER = '+37100000000'

/** A signal-cli that answers as it is told, and a channel to that number (or another recipient) through it. */
async function open(t: TestContext, respond?: (call: RpcCall) => object, value = NUMBER) {
  const server = await openRpcServer(t, respond)
  const to = aDestination(signal, { value }, { operator: { SIGNAL_CLI_SOCKET: server.address } })
  return { to, calls: server.calls, transports: testWays() }
}

const failing = (result: object) => () => ({
  error: {
    code: -1,
    message: 'Failed to send message',
    data: { response: { timestamp: 1, results: [result] } },
  },
})

/** The parts of a message that are set apart, by their styles. */
function styledParts({ params }: RpcCall): [string, string][] {
  return params.textStyle.map((style: string) => {
    const [start, length, name] = style.split(':')
    return [name, params.message.slice(Number(start), Number(start) + Number(length))]
  })
}

test('a down alert has the check, the reason, the time and the last output', async t => {
  const { to, calls, transports } = await open(t)
  const lastPing = aPing({
    action: 'fail',
    exitStatus: 2,
    durationMs: 61_000,
    body: Buffer.from('disk full\n'),
  })
  await signal.send(anAlert({ lastPing, flip: { reason: 'failed' }, otherChecks: 3 }), to, transports)
  const [call] = calls
  assert.equal(call?.method, 'send')
  assert.deepEqual(call.params.recipient, [NUMBER])
  assert.equal(call.id, to.idempotencyKey)
  const { message } = call.params
  for (const part of [
    'Backup is DOWN, exit status 2\nDown since 11:50 UTC: the job exited with status 2.',
    'Project: Alpha',
    'Tags: prod, db',
    'Last ping: Exit status 2, ',
    'Last run: 1 min 1 s',
    'Output:\ndisk full',
    'All the other checks are up.',
    'https://monitor.example/cloaked/',
  ]) {
    assert.ok(message.includes(part), `${part} in\n${message}`)
  }
  assert.deepEqual(styledParts(call), [
    ['BOLD', 'Backup is DOWN, exit status 2'],
    ['MONOSPACE', 'disk full'],
  ])
})

test('an up alert has the downtime', async t => {
  const { to, calls, transports } = await open(t)
  await signal.send(anAlert({ status: 'up' }), to, transports)
  assert.match(
    calls[0]!.params.message,
    /^Backup is UP\nUp since 11:50 UTC\. The downtime lasted 1 hour, 30 minutes\./,
  )
})

test('a test alert says so, and notices are sent', async t => {
  const { to, calls, transports } = await open(t)
  await signal.send(anAlert({ test: true }), to, transports)
  assert.match(calls[0]!.params.message, /This is a test/)
  await signal.notify!(aNotice(), to, transports)
  assert.match(calls[1]!.params.message, /^The channel "Pager" was disabled\nIts address answers/)
})

test('names with any characters arrive on one line, and the styles match them', async t => {
  const { to, calls, transports } = await open(t)
  const name = '**😀 "<b>Backup</b>\u0007\n@all `x` 𝔅'
  const shown = '**😀 "<b>Backup</b> @all `x` 𝔅'
  await signal.send(anAlert({ check: { name } }), to, transports)
  assert.deepEqual(styledParts(calls[0]!), [['BOLD', `${shown} is DOWN`]])
})

test('a long output is cut to its end', async t => {
  const { to, calls, transports } = await open(t)
  const body = Buffer.from(`${'x'.repeat(5_000)}the end`)
  await signal.send(anAlert({ lastPing: aPing({ body }) }), to, transports)
  const [, output] = styledParts(calls[0]!)
  assert.equal(output?.[1].length, 1_000)
  assert.match(output[1], /the end$/)
})

test('a recipient is a number in any notation, or a username', async t => {
  assert.equal(checkSettings(signal, { value: '+371 (2) 00-00\u00a0000' }).value, '+37120000000')
  const { to, calls, transports } = await open(t, undefined, 'Alice.42')
  await signal.send(anAlert(), to, transports)
  assert.deepEqual(calls[0]!.params.recipient, ['u:Alice.42'])
  for (const value of ['12345', '+1234', '+1234567890123456', 'alice', '.42', 'u:alice.42']) {
    assert.throws(() => checkSettings(signal, { value }), { field: 'value' }, value)
  }
})

test('each direction can be turned off', () => {
  const settings = checkSettings(signal, { value: NUMBER, down: 'true', up: 'false' })
  assert.equal(signal.wants!(settings, 'down'), true)
  assert.equal(signal.wants!(settings, 'up'), false)
})

test('an unknown recipient is a permanent failure', async t => {
  const { to, transports } = await open(t, failing({ type: 'UNREGISTERED_FAILURE' }))
  await assert.rejects(async () => await signal.send(anAlert(), to, transports), {
    message: 'Recipient not found',
    options: { permanent: true },
  })
})

test('a CAPTCHA is reported with its challenge, and every other failure with its type', async t => {
  const cases: [object, string][] = [
    [{ type: 'RATE_LIMIT_FAILURE', token: 'ch-1' }, 'CAPTCHA proof required (challenge ch-1)'],
    [{ type: 'RATE_LIMIT_FAILURE' }, 'Signal limits how much may be sent'],
    [{ type: 'NETWORK_FAILURE' }, 'signal-cli could not send: NETWORK_FAILURE'],
    [{ type: 'a secret <b>' }, 'signal-cli could not send'],
  ]
  for (const [result, message] of cases) {
    const { to, transports } = await open(t, failing(result))
    await assert.rejects(async () => await signal.send(anAlert(), to, transports), { message, options: {} })
  }
  const { to, transports } = await open(t, () => ({ error: { message: 'no account', data: null } }))
  await assert.rejects(async () => await signal.send(anAlert(), to, transports), {
    message: 'signal-cli could not send',
  })
})

test('an unreachable or missing signal-cli is a temporary failure', async t => {
  const { to, transports } = await open(t)
  const away = { ...to, operator: { SIGNAL_CLI_SOCKET: '/nowhere/at/all' } }
  await assert.rejects(async () => await signal.send(anAlert(), away, transports), {
    message: 'Connection failed',
  })
  const none = { ...to, operator: { SIGNAL_CLI_SOCKET: '' } }
  await assert.rejects(async () => await signal.send(anAlert(), none, transports), {
    message: 'Signal notifications are not enabled',
  })
})
