/** The buttons of an integration's form other than the one that saves: a test, a preview of the request, and presets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRecorder } from '../../_support/servers/recorder.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, project, store } = world
const list = `/projects/${project.uuid}/integrations/`
const add = `${list}add/webhook/`
const count = async () => (await store.channels.list(project.id)).length
const storedSettings = async (path: string) => (await store.channels.find(path.split('/')[2]!))!.settings

test('a test is sent before the integration is saved, and nothing is stored', async t => {
  const recorder = await openRecorder(t)
  const before = await count()
  const fields = { url_down: `${recorder.url}/hook`, method_down: 'POST', body_down: '$NAME is $STATUS' }
  const { status, text } = await bob.post(add, { ...fields, channel_name: 'Ops', test: '1' })
  assert.equal(status, 200)
  assert.match(wordsOf(text), /The test was delivered in .*\. Nothing was saved\./)
  assert.match(text, /value="Ops"/)
  assert.equal(recorder.requests.at(-1)?.body, 'TEST is down')
  assert.equal(await count(), before)
})

test('no test is asked for once one was delivered with the same settings', async t => {
  const recorder = await openRecorder(t)
  const fields = { url_down: `${recorder.url}/hook`, method_down: 'POST' }
  const { text } = await bob.post(add, { ...fields, test: '1' })
  const tested = /name="tested" value="([^"]+)"/.exec(text)![1]!
  const saidOf = async (typed: Record<string, string>) =>
    wordsOf((await bob.get((await bob.post(add, typed)).location!)).text)
  const same = await saidOf({ ...fields, channel_name: 'Ops', tested })
  assert.match(same, /Added\. It /)
  assert.doesNotMatch(same, /Send a test to see that it arrives/)
  const other = await saidOf({ ...fields, url_down: `${recorder.url}/other`, tested })
  assert.match(other, /Send a test to see that it arrives/)
})

test('a test that fails says why, and invalid settings are not sent', async t => {
  const recorder = await openRecorder(t, () => ({ status: 500 }))
  const failed = await alice.post(add, { url_down: recorder.url, test: '1' })
  assert.match(wordsOf(failed.text), /not delivered: Received status code 500\. Nothing was saved\./)
  const invalid = await alice.post(add, { url_down: recorder.url, headers_down: 'no colon', test: '1' })
  assert.equal(invalid.status, 400)
  assert.match(invalid.text, /pairs, one per line/)
  assert.equal(recorder.requests.length, 1)
})

test('who may not add an integration can neither test nor preview one', async t => {
  const recorder = await openRecorder(t)
  for (const [who, status] of [
    [rita, 403],
    [charlie, 404],
  ] as const) {
    for (const button of ['test', 'preview', 'preset']) {
      const sent = await who.post(add, { url_down: recorder.url, [button]: '1' })
      assert.equal(sent.status, status, button)
    }
  }
  const shell = { cmd_down: 'true', test: '1' }
  assert.ok([403, 400].includes((await bob.post(`${list}add/shell/`, shell)).status))
  assert.equal(recorder.requests.length, 0)
})

test('no test goes to an address whose owner has not agreed', async () => {
  const typed = { value: 'somebody@else.example', test: '1' }
  const { status, text } = await alice.post(`${list}add/email/`, typed)
  assert.equal(status, 400)
  assert.doesNotMatch(text, /delivered in/)
})

test('a stored secret is not sent to another address by a test', async t => {
  const [first, second] = [await openRecorder(t), await openRecorder(t)]
  const fields = { url_down: first.url, method_down: 'GET', headers_down: 'X-Key: k3y' }
  const path = (await alice.post(add, fields)).location!
  const kept = { ...fields, headers_down: '', test: '1' }
  const moved = await bob.post(`${path}edit/`, { ...kept, url_down: second.url })
  assert.match(moved.text, /The address has changed/)
  assert.equal(second.requests.length, 0)
  const same = await bob.post(`${path}edit/`, { ...kept, same: 'true', url_down: second.url })
  assert.match(same.text, /The address has changed/)
  assert.equal(second.requests.length, 0)
  const sent = await bob.post(`${path}edit/`, { ...kept, url_down: '' })
  assert.match(wordsOf(sent.text), /The test was delivered/)
  assert.equal(first.requests.at(-1)?.headers['x-key'], 'k3y')
  assert.ok(!sent.text.includes('k3y'), 'it is not shown')
})

test('tests before saving are limited like others', async t => {
  const recorder = await openRecorder(t)
  const own = await world.projectOf(alice, 'Limited')
  const path = `/projects/${own.uuid}/integrations/add/webhook/`
  let refused = 0
  for (let n = 0; n < 22; n++) {
    const { status } = await alice.post(path, { url_down: recorder.url, test: '1' })
    refused += status === 429 ? 1 : 0
  }
  assert.equal(refused, 2)
  assert.equal(recorder.requests.length, 20)
})

test('the preview shows the request with placeholders filled in and secrets masked', async () => {
  const { status, text } = await alice.post(add, {
    url_down: 'https://hooks.example.org/secret-path-0123',
    method_down: 'POST',
    headers_down: 'Content-Type: application/json\nX-Key: hunter2',
    body_down: '{"name": $NAME_JSON}',
    preview: '1',
  })
  assert.equal(status, 200)
  const shown = /<pre>(.*?)<\/pre>/s.exec(text)![1]!
  assert.match(shown, /^POST hooks\.example\.org\/secr…\n/)
  assert.match(shown, /Content-Type: application\/json/)
  assert.match(shown, /X-Key: ••••••••/)
  assert.match(shown, /\{&quot;name&quot;: &quot;TEST&quot;\}/)
  assert.doesNotMatch(shown, /hunter2|secret-path/)
})

test('with “same for both” the values of Down are stored for both directions', async () => {
  const fields = {
    url_down: 'https://one.example/x',
    method_down: 'POST',
    headers_down: 'X-Key: k',
    same: 'true',
  }
  const path = (await alice.post(add, { ...fields, url_up: 'https://ignored.example/' })).location!
  const stored = await storedSettings(path)
  assert.deepEqual(
    [stored.url_up, stored.method_up, stored.headers_up],
    ['https://one.example/x', 'POST', 'X-Key: k'],
  )
  const edit = (await alice.get(`${path}edit/`)).text
  assert.match(edit, /name="same" checked/)
  assert.equal((await alice.post(`${path}edit/`, { method_down: 'PUT', same: 'true' })).status, 303)
  const after = await storedSettings(path)
  assert.deepEqual(
    [after.url_up, after.method_up, after.headers_up],
    ['https://one.example/x', 'PUT', 'X-Key: k'],
  )
})

test('a preset fills in the request, keeps what was typed, and says what is left to enter', async () => {
  const typed = { url_down: 'https://hooks.slack.com/services/T0/B0/x', channel_name: 'Ops', preset: 'slack' }
  const { status, text } = await alice.post(add, { ...typed, same: 'true' })
  assert.equal(status, 200)
  assert.match(wordsOf(text), /Filled in for Slack\. Enter the URL of an incoming webhook/)
  assert.match(text, /value="https:\/\/hooks\.slack\.com\/services\/T0\/B0\/x"/)
  assert.match(text, /Content-Type: application\/json/)
  assert.match(text, /name="same" checked/)
})
