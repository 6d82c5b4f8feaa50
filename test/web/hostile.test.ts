/**
 * Texts from outside where test/browser/every-page.test.ts does not look: in streams, in pictures, in answers to forms,
 * and on pages behind a link.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsubscribePath } from '../../src/actions/channels/unsubscribe.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const EVIL = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`

const world = await openWebWorld()
const { alice, store, clock, config } = world
const project = await world.projectOf(alice, EVIL)
const home = `/projects/${project.uuid}/`
const { check } = await store.checks.create(project.id, {
  changes: { name: EVIL, tags: EVIL, desc: EVIL, slug: 'evil' },
  unique: null,
  now: clock.now(),
})
const channel = await store.channels.create({
  projectId: project.id,
  name: EVIL,
  kind: 'webhook',
  settings: { url_down: `https://example.org/${EVIL}` },
  members: [],
  now: clock.now(),
})

function assertHarmless(text: string, what: string): void {
  assert.ok(text.includes('alert(1)'), `${what} shows the text`)
  assert.doesNotMatch(text, /<img src=x|<script>alert/, what)
}

test('streams of changes carry hostile texts as texts', async () => {
  const streams = [
    `${home}checks/live/`,
    `/checks/${check.uuid}/live/`,
    `${home}log/live/?kind=fail`,
    `${home}integrations/live/`,
    '/live/',
  ]
  for (const path of streams) {
    const abort = new AbortController()
    const cookie = [...alice.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(world.root + path, { headers: { Cookie: cookie }, signal: abort.signal })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()
    const startedAt = clock.now()
    await store.channels.noteTest({
      channelId: channel.id,
      uuid: crypto.randomUUID(),
      status: 'down',
      error: EVIL,
      startedAt,
      durationMs: 1,
    })
    let text = ''
    // Down and paused by turns: what changes and changes back between two looks is not told.
    for (let turn = 0; !text.includes('alert(1)'); turn++) {
      if (turn % 2 === 1) await store.checks.pause(project.id, check.uuid, clock.now())
      else
        for (const signal of ['start', 'fail'])
          await world.send('POST', `/ping/${check.uuid}/${signal}`, {
            headers: { 'User-Agent': EVIL },
            body: EVIL,
          })
      text += (await reader.read()).value
    }
    assertHarmless(text, path)
    abort.abort()
  }
})

test('a badge draws a hostile tag as text', async () => {
  const { text } = await alice.get(`${home}badges/`)
  const images = [...text.matchAll(/<img src="([^"]+)"/g)].map(match => match[1]!)
  const drawn = await Promise.all(images.map(async image => (await alice.get(image)).text))
  assert.ok(drawn.some(svg => svg.includes('alert(1)')))
  for (const svg of drawn) assert.doesNotMatch(svg, /<img src=x|<script>alert/)
})

test('answers to forms repeat hostile texts as texts', async () => {
  const add = `${home}checks/add/`
  await alice.get(add)
  const refused = await alice.post(add, {
    name: EVIL,
    slug: EVIL,
    kind: 'simple',
    period: EVIL,
    grace: EVIL,
    tz: EVIL,
  })
  assert.equal(refused.status, 400)
  assertHarmless(refused.text, 'the form of a check')
  const asked = await alice.post(`${home}checks/bulk/?search=${encodeURIComponent(EVIL)}`, {
    action: 'delete',
    check: check.uuid,
  })
  assertHarmless(asked.text, 'the question before a deletion')
  const url = `${home}integrations/add/webhook/`
  const again = await alice.post(url, { name: EVIL, url_down: EVIL })
  assert.equal(again.status, 400)
  assertHarmless(again.text, 'the form of an integration')
  const invited = await alice.post(`${home}invitations/add/`, { email: EVIL, role: 'member' })
  assertHarmless(invited.text, 'the form of an invitation')
  const tags = await alice.post(`${home}checks/bulk/`, {
    action: 'tag',
    check: check.uuid,
    tags: 'x'.repeat(480),
  })
  assertHarmless((await alice.get(tags.location!)).text, 'the sentence after an action')
})

test('pages behind a link show hostile texts as texts to strangers', async () => {
  const stranger = world.stranger()
  await alice.post(`${home}invitations/add/`, { email: '', role: 'member' })
  const link = /http[^"<\s]*(\/accounts\/invitations\/[\w-]+\/)/.exec(
    (await alice.get(`${home}settings/`)).text,
  )![1]!
  assertHarmless((await stranger.get(link)).text, 'an invitation')
  const settings = { value: 'ops@example.org', down: 'true', up: 'true' }
  const ops = { projectId: project.id, name: EVIL, kind: 'email', settings, members: [], now: clock.now() }
  const { uuid } = await store.channels.create(ops)
  const unsubscribe = await stranger.get(unsubscribePath(config.SECRET_KEY, uuid, settings.value))
  assert.match(unsubscribe.text, /Unsubscribe/)
  assert.doesNotMatch(unsubscribe.text, /<img src=x|<script>alert/)
  const login = await stranger.post('/accounts/login/', { email: EVIL, password: EVIL, next: EVIL })
  assertHarmless(login.text, 'the sign-in form')
})
