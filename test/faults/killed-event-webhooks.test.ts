/** The program is killed while it sends an event webhook, in the middle of a request and just after an answer. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createApiToken } from '../../src/actions/projects/create-api-token.js'
import { createProject } from '../../src/actions/projects/create-project.js'
import { openStore } from '../../src/compose/store.js'
import { loadConfig } from '../../src/config.js'
import { SCOPE_NAMES } from '../../src/core/people/scopes.js'
import { systemClock } from '../../src/lib/clock.js'
import { eventually } from '../_support/eventually.js'
import { openRecorder } from '../_support/servers/recorder.js'
import { Bench, freePort } from './frame/bench.js'
import { Program } from './frame/program.js'

const API = '/api/punctual/v1'
const CHECKS = 4

/** Longer than a killed process keeps its webhooks (ms). */
const LEASE_OVER_MS = 61_000

test('a killed program sends every event to a webhook, in order, with its ID', async t => {
  const bench = new Bench('sqlite', false)
  t.after(() => bench.close())
  const program = new Program({ folder: bench.folder(), port: await freePort() })
  bench.defer(() => program.kill())
  const { token, projectId } = await openProject(program)

  // The request that is not answered, and the one whose answer is the last thing before the kill.
  const kills = [3, 7]
  let reached = (_: ServerResponse) => {}
  const receiver = await openRecorder(t, (_, response) => {
    if (receiver.requests.length !== kills[0]) return {}
    kills.shift()
    reached(response)
    return undefined
  })
  const nextKill = () => new Promise<ServerResponse>(resolve => (reached = resolve))

  const call = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await program.call(method, API + path, body && JSON.stringify(body), headers)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.body}`)
    return JSON.parse(answer.body)
  }
  const batch = async (operations: object[]) => (await call('POST', '/checks:batch', { operations })).results

  const inRequest = nextKill()
  await program.start()
  await call('POST', '/event-webhooks', { name: 'Audit', url: `${receiver.url}/events`, types: ['check'] })
  const made = await batch(
    Array.from({ length: CHECKS }, (_, n) => ({ op: 'create', check: { name: `${n}` } })),
  )
  const uuids: string[] = made.map(({ check }: { check: { uuid: string } }) => check.uuid)
  for (const name of ['once', 'twice', 'thrice']) {
    await batch(uuids.map(uuid => ({ op: 'update', uuid, check: { name } })))
  }
  await inRequest
  await program.kill()

  const atAnswer = nextKill()
  program.setClock(LEASE_OVER_MS)
  await program.start()
  const response = await atAnswer
  response.end('OK')
  await program.kill()

  program.setClock(2 * LEASE_OVER_MS)
  await program.start()
  const { items } = await call('GET', '/log?kind=check&limit=100')
  const recorded: string[] = items.map(({ id }: { id: string }) => id).reverse()
  assert.equal(recorded.length, CHECKS * 4, `events of project ${projectId}`)
  const ids = () => receiver.requests.map(({ headers }) => String(headers['punctual-delivery']))
  await eventually(
    () => ids().includes(recorded.at(-1)!),
    () => `received ${ids()} of ${recorded}; ${program.log().slice(-1_000)}`,
  )

  // Repeated is at most what was under way, and at once: whoever ignores known IDs sees all events in their order.
  const [received, distinct] = [ids(), [...new Set(ids())]]
  assert.deepEqual(distinct, recorded)
  assert.deepEqual(
    received.filter((id, index) => id !== received[index - 1]),
    recorded,
  )
  assert.equal(received[2], received[3], 'the event without an answer was sent again')
  const bodies = new Map(receiver.requests.map(({ headers, body }) => [headers['punctual-delivery'], body]))
  for (const { headers, body } of receiver.requests) {
    assert.equal(String(JSON.parse(body).id), headers['punctual-delivery'])
    assert.equal(body, bodies.get(headers['punctual-delivery']))
  }
})

async function openProject(program: Program) {
  const store = await openStore(loadConfig(program.env), { create: true })
  try {
    const { project } = await createProject(store, systemClock, { name: 'Events', ownerEmail: null })
    const owner = { projectId: project.id, role: 'manager' as const }
    const asked = { owner, name: 'Test', scopes: SCOPE_NAMES, by: null, expiresAt: null }
    return { projectId: project.id, token: (await createApiToken(store, systemClock, asked)).token }
  } finally {
    await store.close()
  }
}
