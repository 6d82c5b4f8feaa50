import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uniqueKey } from '../../../src/storage/checks/checks.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, charlie, rita, project } = world
const changes = `/projects/${project.uuid}/changes/`

test('the page says who changed what, before and after', async () => {
  await alice.post(`/projects/${project.uuid}/name/`, { name: 'Nightly jobs' })
  const { text } = await alice.get(changes)
  const words = wordsOf(text)
  assert.match(words, /alice@example\.org/)
  assert.match(words, /Project updated: Nightly jobs/)
  assert.match(words, /Name: Alice’s jobs → Nightly jobs/)
})

test('an empty page says whether the filters are the reason', async () => {
  const page = `/projects/${world.charlies.uuid}/changes/`
  assert.match(wordsOf((await charlie.get(page)).text), /Nothing has been changed yet\./)
  assert.match(wordsOf((await charlie.get(`${page}?kind=channel`)).text), /No change matches these filters\./)
})

test('addresses are shown to owners and managers only', async () => {
  assert.match(wordsOf((await alice.get(changes)).text), /from 127\.0\.0\.1/)
  for (const reader of [bob, rita]) {
    const { status, text } = await reader.get(changes)
    assert.equal(status, 200)
    assert.ok(!text.includes('127.0.0.1'))
  }
})

test('the address of an invited person is shown to owners and managers only, also by the API', async () => {
  await alice.post(`/projects/${project.uuid}/invitations/add/`, {
    email: 'new@corp.example',
    role: 'member',
  })
  const page = `${changes}?kind=invitation`
  assert.match(wordsOf((await alice.get(page)).text), /new@corp\.example/)
  const logOf = async (userId: number) => {
    const { token } = await world.token({ userId })
    return (await world.get(`/api/punctual/v1/log?project=${project.uuid}&kind=invitation`, token)).text
  }
  assert.match(await logOf(alice.id), /"email":\s*"new@corp\.example"/)
  for (const reader of [bob, rita]) {
    const { text } = await reader.get(page)
    assert.match(wordsOf(text), /Invitation created: ••••••/)
    assert.ok(!text.includes('new@corp'))
    assert.ok(!(await logOf(reader.id)).includes('new@corp'))
  }
})

test('a secret that was changed is masked', async () => {
  const channel = {
    projectId: project.id,
    name: 'Hook',
    kind: 'webhook',
    members: [],
    now: world.clock.now(),
  }
  const { id } = await world.store.channels.create({
    ...channel,
    settings: { url_down: 'https://a.example/old-s3cret' },
  })
  const settings = { url_down: 'https://a.example/new-s3cret' }
  await world.store.channels.update({ ...channel, id, settings })
  const { text } = await alice.get(`${changes}?kind=channel&all=1`)
  assert.match(wordsOf(text), /URL when a check goes down: •••••• → ••••••/)
  assert.ok(!text.includes('s3cret'))
})

test('settings of a check have the labels of the form, and values in words', async () => {
  const { store, clock } = world
  const check = await world.addCheck('Restore')
  const channel = { projectId: project.id, name: 'Ops chat', kind: 'webhook', members: [], now: clock.now() }
  const { uuid } = await store.channels.create({
    ...channel,
    settings: { url_down: 'https://a.example/' },
    forAll: false,
  })
  await store.checks.update(project.id, check, {
    changes: { graceSeconds: 7_200 },
    channels: uuid,
    now: clock.now(),
  })
  const cron = { kind: 'cron', schedule: '0 5 * * *', tz: 'Europe/Riga', graceSeconds: 3_600 } as const
  await store.checks.update(project.id, check, { changes: cron, now: clock.now() })
  const words = wordsOf((await alice.get(`${changes}?kind=check&all=1`)).text)
  assert.match(words, /Grace: 1 hour → 2 hours/)
  assert.match(words, /Integrations: [^→]*→ Ops chat/)
  assert.match(words, /Schedule: Daily at 05:00/)
  assert.match(words, /Kind of schedule: Period → Cron/)
  assert.doesNotMatch(words, /Every minute|3600|7200/)
  assert.ok(!words.includes(uuid))
  const made = wordsOf((await alice.get(`${changes}?kind=channel&all=1`)).text)
  assert.match(made, /Integration created: Ops chat ?Name: Ops chat ?Kind: webhook ?Enabled: yes/)
  assert.doesNotMatch(made, /: none|: true/)
})

test('the effect of a silence is in the words of its form', async () => {
  const now = world.clock.now()
  await world.store.silences.create(project.id, {
    mode: 'expect_nothing',
    scope: { project: true },
    channels: null,
    times: { kind: 'once', from: now, to: now + 3_600_000 },
    reason: '',
    createdBy: 'anna@example.org',
    now,
  })
  const words = wordsOf((await alice.get(`${changes}?all=1`)).text)
  assert.match(words, /Effect: Hold alerts, and expect no runs/)
})

test('what Punctual noticed is listed on demand', async () => {
  const check = await world.addCheck('Backup')
  await world.send('GET', `/ping/${check}/fail`)
  assert.ok(!(await alice.get(changes)).text.includes('Check went down'))
  assert.match((await alice.get(`${changes}?all=1`)).text, /Check went down/)
})

test('older pages continue where the newer ones end', async () => {
  for (let n = 0; n < 60; n++) await world.store.projects.rename(project.id, `Name ${n}`, 1)
  const seen: string[] = []
  let next: string | null = `${changes}?all=1&kind=project`
  while (next !== null) {
    const { text } = await alice.get(next)
    seen.push(...[...text.matchAll(/<ins>Name (\d+)<\/ins>/g)].map(match => match[1]!))
    next = /href="([^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 60 }, (_, n) => String(59 - n)),
  )
})

test('an outsider finds no changes', async () => {
  assert.equal((await charlie.get(changes)).status, 404)
  assert.equal((await world.stranger().get(changes)).status, 302)
})

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

test('what never had a name is called by its label, or not at all', async () => {
  const { store, clock } = world
  const { uuid } = (
    await store.checks.create(project.id, { changes: { name: '' }, unique: null, now: clock.now() })
  ).check
  await store.checks.pause(project.id, uuid, clock.now())
  await store.checks.delete(project.id, uuid, clock.now())
  const now = clock.now()
  await store.silences.create(project.id, {
    mode: 'hold',
    scope: { project: true },
    channels: null,
    times: { kind: 'once', from: now, to: now + 3_600_000 },
    reason: '',
    createdBy: '',
    now,
  })
  const words = wordsOf((await alice.get(`${changes}?all=1`)).text)
  const label = `Unnamed check ${uniqueKey(uuid).slice(0, 8)}`
  for (const did of ['created', 'paused', 'deleted']) assert.ok(words.includes(`Check ${did}: ${label}`), did)
  assert.doesNotMatch(words, /: unnamed/)
  assert.match(words, /Silence created ?Effect/)
})
