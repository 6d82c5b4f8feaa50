import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const project = `/projects/${alice.projectUuid}`
const scrape = (path: string, headers: Record<string, string> = {}) => world.send('GET', path, { headers })

test('the checks of the project are measured, in the order they were made', async () => {
  const down = await world.check(alice, { name: 'a "quoted" \\ name\n', tags: 'prod db' })
  const late = await world.check(alice, { name: 'late', tags: 'db', timeout: 60 })
  const paused = await world.check(alice, { name: 'paused' })
  await world.check(charlie, { name: 'his', tags: 'secret' })
  await world.ping(down, '/fail')
  await world.ping(down, '/start')
  await world.ping(late)
  await world.post(`/api/v3/checks/${paused.uuid}/pause`, alice.rw)
  world.clock.advance(60)
  const keys = []
  for (const { uuid } of [down, late, paused]) {
    keys.push((await world.get(`/api/v3/checks/${uuid}`, alice.ro)).json.unique_key)
  }
  const labels = [
    `{name="a \\"quoted\\" \\\\ name\\n", tags="prod db", unique_key="${keys[0]}"}`,
    `{name="late", tags="db", unique_key="${keys[1]}"}`,
    `{name="paused", tags="", unique_key="${keys[2]}"}`,
  ]
  const { status, text, headers } = await scrape(`${project}/metrics/${alice.ro}`)
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^text\/plain/)
  const samples = (name: string) => text.split('\n').filter(line => line.startsWith(`${name}{`))
  const expected = (name: string, values: number[]) =>
    labels.map((label, i) => `${name}${label} ${values[i]}`)
  for (const [name, values] of Object.entries({
    hc_check_up: [0, 1, 1],
    hc_check_started: [1, 0, 0],
    hc_check_grace: [0, 1, 0],
    hc_check_paused: [0, 0, 1],
  })) {
    assert.deepEqual(samples(name), expected(name, values))
    assert.match(text, new RegExp(`# HELP ${name} .+\n# TYPE ${name} gauge\n${name}\\{`))
  }
  assert.deepEqual(samples('hc_tag_up'), ['hc_tag_up{tag="db"} 0', 'hc_tag_up{tag="prod"} 0'])
  assert.match(text, /\nhc_checks_total 3\n/)
  assert.match(text, /\nhc_checks_down_total 1\n$/)
  assert.equal(text.match(/\n\n# HELP /g)!.length, 6)
})

test('the key may be a bearer token, and the old address works as well', async () => {
  const { text } = await scrape(`${project}/metrics/${alice.ro}`)
  const bearer = await scrape(`${project}/metrics/`, { Authorization: `Bearer ${alice.ro}` })
  assert.equal(bearer.text, text)
  assert.equal((await scrape(`${project}/checks/metrics/${alice.ro}`)).text, text)
})

test('the key alone decides which project is measured', async () => {
  const { text } = await scrape(`${project}/metrics/${charlie.ro}`)
  assert.match(text, /hc_checks_total 1\n/)
})

test('a missing key is 401, one of another length 400, an unknown or read-write key 403', async () => {
  assert.equal((await scrape(`${project}/metrics/`)).status, 401)
  assert.equal((await scrape(`${project}/metrics/`, { Authorization: `Basic ${alice.ro}` })).status, 401)
  assert.equal((await scrape(`${project}/metrics/short`)).status, 400)
  assert.equal((await scrape(`${project}/metrics/`, { Authorization: 'Bearer short' })).status, 400)
  assert.equal((await scrape(`${project}/metrics/${'x'.repeat(32)}`)).status, 403)
  assert.equal((await scrape(`${project}/metrics/${alice.rw}`)).status, 403)
})

test('a setting turns it off', async () => {
  const off = await openWorld({ app: { PROMETHEUS_ENABLED: false } })
  const path = `/projects/${off.alice.projectUuid}/metrics/${off.alice.ro}`
  assert.equal((await off.send('GET', path)).status, 404)
})
