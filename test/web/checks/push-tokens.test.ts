/** The push tokens of a check: managers see and set them on a page and by the API, nobody else does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, mike, bob, charlie, charlies, project, store, clock } = world
await store.projects.setProtocols(project.id, ['uptime-kuma'], clock.now())
const check = await world.addCheck('Nightly')
const path = `/checks/${check}/push-tokens/`
const details = `/checks/${check}/details/`
const push = async (token: string) => (await world.send('GET', `/api/push/${token}`)).status

test('a manager gives a check tokens, also as addresses, and jobs push with them', async () => {
  assert.match((await mike.get(details)).text, /push-tokens\/">Push tokens…/)
  const tokens = 'of-kuma-1\r\nhttps://kuma.example.org/api/push/of-kuma-2?status=up&msg=OK\r\n'
  assert.equal((await mike.post(path, { tokens })).location, path)
  const { text } = await alice.get(path)
  assert.match(text, /of-kuma-1\nof-kuma-2<\/textarea>/)
  assert.match(text, /\/api\/push\/of-kuma-2<\/code>/)
  assert.deepEqual([await push('of-kuma-1'), await push('of-kuma-2')], [200, 200])
})

test('a token that is wrong or of another check is refused in the form, and nothing changes', async () => {
  const foreign = await world.addCheck('Foreign', charlies.id)
  await store.projects.setPushTokens(charlies.id, foreign, ['of-charlie'], clock.now())
  for (const [tokens, status, expected] of [
    ['<b>short', 400, /8 to 100 letters/],
    ['of-charlie', 409, /Another check has one of these push tokens/],
    [Array.from({ length: 21 }, (_, n) => `token-of-${n}`).join('\n'), 400, /at most 20 push tokens/],
  ] as const) {
    const page = await alice.post(path, { tokens })
    assert.equal(page.status, status)
    assert.match(page.text, expected)
    assert.ok(!page.text.includes('<b>short'))
    assert.deepEqual(await store.projects.pushTokens(project.id, check), ['of-kuma-1', 'of-kuma-2'])
  }
})

test('members and outsiders neither see nor set tokens, on the page or by the API', async () => {
  assert.doesNotMatch((await bob.get(details)).text, /Push tokens/)
  assert.deepEqual([(await bob.get(path)).status, (await bob.post(path, { tokens: '' })).status], [403, 403])
  assert.deepEqual([(await charlie.get(path)).status, (await charlie.post(path)).status], [404, 404])
  const own = `/api/punctual/v1/checks/${check}/push-tokens`
  for (const [userId, status] of [
    [alice.id, 200],
    [mike.id, 200],
    [bob.id, 403],
    [charlie.id, 404],
  ] as const) {
    const { token } = await world.token({ userId })
    const asked = await world.get(`${own}?project=${project.uuid}`, token)
    assert.equal(asked.status, status)
    if (status === 200) continue
    assert.doesNotMatch(asked.text, /of-kuma/)
    const body = { tokens: [] }
    assert.equal(
      (await world.send('PUT', `${own}?project=${project.uuid}`, { key: token, body })).status,
      status,
    )
  }
  const { token } = await world.token({ projectId: charlies.id, role: 'manager' })
  assert.equal((await world.get(own, token)).status, 404)
  assert.equal((await store.projects.pushTokens(project.id, check)).length, 2)
})

test('the API names a wrong token by its place', async () => {
  const { token: key } = await world.token({ userId: alice.id })
  const own = `/api/punctual/v1/checks/${check}/push-tokens?project=${project.uuid}`
  const wrong = await world.send('PUT', own, { key, body: { tokens: ['good-token', check] } })
  assert.deepEqual([wrong.status, wrong.json.errors[0].pointer], [422, '/tokens/1'])
  const same = await world.send('PUT', own, { key, body: { tokens: ['of-kuma-2'] } })
  assert.deepEqual(same.json, { tokens: ['of-kuma-2'] })
  assert.equal(await push('of-kuma-1'), 404)
})

test('the page says where pushes have to be accepted first', async () => {
  await store.projects.setProtocols(project.id, [], clock.now())
  assert.match((await alice.get(path)).text, /These addresses are refused until/)
  assert.doesNotMatch((await alice.get(details)).text, /Push tokens…/)
})
