import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
await world.check(charlie, { name: 'his', slug: 'backup', tags: 'prod' })
await world.check(alice, { name: 'a', slug: 'backup', tags: 'prod db' })
await world.check(alice, { name: 'b', slug: 'backup', tags: 'dev  db  ' })
await world.check(alice, { name: 'c', slug: '', tags: 'bar,baz \tdb' })

async function names(query: string, key = alice.ro) {
  const { status, json } = await world.get(`/api/v3/checks/${query}`, key)
  assert.equal(status, 200)
  return json.checks.map((check: { name: string }) => check.name).join(' ')
}

test('all checks of the project are listed in the order they were made, and no others', async () => {
  assert.equal(await names(''), 'a b c')
  assert.equal(await names('', charlie.ro), 'his')
})

test('a listing is the object {"checks": [...]} of what a single request shows', async () => {
  const { json, text, headers } = await world.get('/api/v3/checks/', alice.rw)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.ok(text.startsWith('{"checks": [{"name": "a", '))
  const single = await world.get(`/api/v3/checks/${json.checks[0].uuid}`, alice.rw)
  assert.ok(text.includes(single.text))
})

test('a project without checks lists none', async () => {
  const empty = await world.account()
  assert.equal((await world.get('/api/v3/checks/', empty.rw)).text, '{"checks": []}')
})

test('slug picks the checks with exactly that slug', async () => {
  assert.equal(await names('?slug=backup'), 'a b')
  assert.equal(await names('?slug=back'), '')
  assert.equal(await names('?slug='), 'a b c')
  assert.equal(await names('?slug=%00'), '')
  assert.equal(await names('?slug=nothing&slug=backup'), 'a b')
})

test('tag picks the checks with all the tags named', async () => {
  assert.equal(await names('?tag=db'), 'a b c')
  assert.equal(await names('?tag=db&tag=prod'), 'a')
  assert.equal(await names('?tag=DB'), '')
  assert.equal(await names('?tag=d'), '')
  assert.equal(await names('?tag='), '')
  assert.equal(await names('?tag=prod%20db'), '')
  assert.equal(await names('?tag=bar,baz'), 'c')
  assert.equal(await names('?tag=bar'), '')
  assert.equal(await names('?tag=db&slug=backup'), 'a b')
})

test('a list of more than 500 checks shows each of them as a single request does', async () => {
  const busy = await world.account()
  const desc = 'a\tb\n"c" \\N \\\\ \\n ä€😀'
  const all = Array.from({ length: 501 }, (_, n) => ({ name: `n${n}`, desc, tags: n === 7 ? 'lucky' : '' }))
  const made = await Promise.all(all.map(fields => world.check(busy, fields)))
  const { json, text } = await world.get('/api/v3/checks/', busy.rw)
  const listed = json.checks.map((check: { name: string }) => check.name)
  assert.deepEqual(listed.toSorted(), all.map(({ name }) => name).toSorted())
  assert.ok(json.checks.every((check: { desc: string }) => check.desc === desc))
  for (const { uuid } of [made[0]!, made[250]!, made.at(-1)!]) {
    const single = await world.get(`/api/v3/checks/${uuid}`, busy.rw)
    assert.ok(text.includes(single.text))
  }
  assert.equal(await names('?tag=lucky', busy.ro), 'n7')
})

test('other parameters are ignored', async () => {
  assert.equal(await names('?limit=1&foo'), 'a b c')
})

test('a read-only key sees no UUID, and no address that holds one', async () => {
  const { json: full } = await world.get('/api/v3/checks/', alice.rw)
  const { json, text } = await world.get('/api/v3/checks/', alice.ro)
  for (const { uuid } of full.checks) assert.ok(!text.includes(uuid))
  for (const check of json.checks) {
    assert.match(check.unique_key, /^[0-9a-f]{40}$/)
    for (const hidden of ['uuid', 'ping_url', 'update_url', 'pause_url', 'resume_url', 'channels']) {
      assert.ok(!(hidden in check), hidden)
    }
  }
})
