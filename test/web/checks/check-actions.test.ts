/** What people do to a check: make, edit, preview, pause, move, ping. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carryOutLater } from '../../_support/carry-out.js'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, store, clock, project } = world
const details = async (uuid: string, query = '') => await alice.get(`/checks/${uuid}/details/${query}`)
const facts = async (uuid: string) => await store.checks.facts(project.id, uuid, clock.now())

const form = { kind: 'simple', period: '1 day', grace: '1 hour', name: 'Changed' }

test('a check is made from the form, with the channels that were ticked', async () => {
  const at = `/projects/${project.uuid}/checks/add/`
  assert.equal((await alice.get(at)).status, 200)
  const { status, location } = await alice.post(at, {
    ...form,
    kind: 'cron',
    cron: '15 3 * * *',
    tz: 'Europe/Riga',
    slug: 'nightly',
    tags: ' a   b ',
    methods: 'POST',
    manual_resume: 'true',
  })
  assert.equal(status, 303)
  const { check } = await facts(location!.split('/')[2]!)
  assert.deepEqual(
    [
      check.name,
      check.kind,
      check.schedule,
      check.tz,
      check.graceSeconds,
      check.slug,
      check.tags,
      check.methods,
    ],
    ['Changed', 'cron', '15 3 * * *', 'Europe/Riga', 3_600, 'nightly', 'a b', 'POST'],
  )
  assert.equal(check.manualResume, true)
})

test('a form with mistakes is shown again with what was typed, and nothing is saved', async () => {
  const uuid = await world.addCheck('Careful')
  const wrong = { ...form, kind: 'cron', cron: '0 25 * * *', grace: 'a while', slug: 'Not Good' }
  const { status, text } = await alice.post(`/checks/${uuid}/edit/`, wrong)
  assert.equal(status, 400)
  assert.match(text, /Not saved: correct the 3 fields below/)
  for (const typed of ['0 25 * * *', 'a while', 'Not Good'])
    assert.ok(text.includes(`value="${typed}"`), typed)
  assert.match(text, /aria-invalid="true"/)
  assert.equal((await facts(uuid)).check.name, 'Careful')
})

test('the form previews a schedule without saving it, with script and without', async () => {
  const uuid = await world.addCheck('Previewed')
  const asked = { ...form, kind: 'cron', cron: '30 3 * * *', tz: 'Europe/Riga', preview: '1' }
  const whole = await alice.post(`/checks/${uuid}/edit/`, asked)
  const part = await alice.get(`/checks/preview/?${new URLSearchParams(asked)}`)
  for (const { status, text } of [whole, part]) {
    assert.equal(status, 200)
    const words = wordsOf(text)
    assert.match(words, /Daily at 03:30/)
    assert.match(words, /the next is due (\d+ \w+ )?\d\d:30 in UTC\. Then it is late, and an alert is sent/)
    assert.match(words, /03:30:00 UTC\+02:00/)
    assert.match(words, /01:30:00 UTC/)
  }
  assert.equal((await facts(uuid)).check.kind, 'simple')
})

test('a preview of what is wrong marks the field, with script and without', async () => {
  const uuid = await world.addCheck('Wrong')
  const asked = { ...form, kind: 'cron', cron: '61 25 * *', preview: '1' }
  const words = 'A cron expression has five fields'
  const part = (await alice.get(`/checks/preview/?${new URLSearchParams(asked)}`)).text
  assert.ok(part.includes(words))
  assert.equal(wordsOf(part).includes(words), false, 'it is for the field')
  const whole = (await alice.post(`/checks/${uuid}/edit/`, asked)).text
  assert.equal(wordsOf(whole).split(words).length, 2, 'said once')
  assert.match(whole, /<input[^>]*name="cron"[^>]*aria-invalid="true"/)
})

test('an edit changes what was edited; the log and the state stay', async () => {
  const uuid = await world.addCheck('Edited')
  await pingCheck(world, uuid)
  await alice.post(`/checks/${uuid}/edit/`, {
    ...form,
    period: '2 h',
    filter_subject: 'true',
    success_kw: 'ok, done',
  })
  const { check, state } = await facts(uuid)
  assert.deepEqual(
    [check.name, check.periodSeconds, check.filterSubject, check.successKw],
    ['Changed', 7_200, true, 'ok, done'],
  )
  assert.deepEqual([state.status, check.nPings, state.expectedAt], ['up', 1, clock.now() + 7_200_000])
})

test('a check is paused, resumed, copied, cleared and deleted', async () => {
  const uuid = await world.addCheck('Acted')
  await pingCheck(world, uuid)
  const act = async (action: string) => await alice.post(`/checks/${uuid}/${action}/`)
  assert.equal((await act('pause')).location, `/checks/${uuid}/details/`)
  assert.equal((await facts(uuid)).state.status, 'paused')
  await act('resume')
  assert.equal((await facts(uuid)).state.status, 'new')
  clock.advance(16)
  assert.equal((await act('resume')).status, 409)

  const copy = (await act('copy')).location!.split('/')[2]!
  assert.deepEqual(
    [(await facts(copy)).check.name, (await facts(copy)).check.slug],
    ['Acted (copy)', 'acted-copy'],
  )

  await pingCheck(world, uuid, 'fail')
  assert.equal((await alice.get(`/checks/${uuid}/clear_events/`)).status, 200)
  await act('clear_events')
  const cleared = await facts(uuid)
  assert.deepEqual([cleared.state.status, cleared.runs.length, cleared.check.nPings], ['new', 0, 2])

  assert.equal((await act('remove')).location, `/projects/${project.uuid}/checks/`)
  await carryOutLater(world)
  assert.equal((await details(uuid)).status, 404)
})

test('a check moves to another project of the reader and tells the channels there', async () => {
  const uuid = await world.addCheck('Moved')
  const other = await world.projectOf(alice, 'Other')
  const channel = await store.channels.create({
    projectId: other.id,
    name: 'there',
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
  assert.match((await alice.get(`/checks/${uuid}/transfer/`)).text, new RegExp(other.uuid))
  assert.equal((await alice.post(`/checks/${uuid}/transfer/`, { project: world.charlies.uuid })).status, 404)
  await alice.post(`/checks/${uuid}/transfer/`, { project: other.uuid })
  await carryOutLater(world)
  const moved = await store.checks.facts(other.id, uuid, clock.now())
  assert.deepEqual(
    moved.channels.map(({ uuid: id, on }) => [id, on]),
    [[channel.uuid, true]],
  )
  assert.equal((await store.projects.overviews([other.uuid], clock.now()))[0]!.checks, 1)
})

test('a channel is switched on and off for a check; a channel of another project is not found', async () => {
  const uuid = await world.addCheck('Switched')
  const make = async (projectId: number) =>
    (
      await store.channels.create({
        projectId,
        name: 'x',
        kind: 'webhook',
        settings: {},
        members: [],
        now: 1,
      })
    ).uuid
  const [own, others] = [await make(project.id), await make(world.charlies.id)]
  const isOn = async () => (await facts(uuid)).channels.find(channel => channel.uuid === own)?.on
  assert.equal(await isOn(), true)
  await alice.post(`/checks/${uuid}/channels/${own}/enabled`, { state: 'off' })
  assert.equal(await isOn(), false)
  await alice.post(`/checks/${uuid}/channels/${own}/enabled`, { state: 'on' })
  assert.equal(await isOn(), true)
  assert.equal((await alice.post(`/checks/${uuid}/channels/${others}/enabled`, { state: 'on' })).status, 404)
})

test('after an action one is back where its button stood, on this site alone', async () => {
  const uuid = await world.addCheck('Returned')
  const list = `/projects/${project.uuid}/checks/?tag=x`
  const after = async (referer: string) =>
    (await alice.post(`/checks/${uuid}/pause/`, {}, { Referer: referer })).location
  assert.equal(await after(`${world.root}${list}`), list)
  assert.equal(await after('https://evil.example//evil.example/'), `/checks/${uuid}/details/`)
})

test('a check is pinged from its page, by the same way as a request to its address', async () => {
  const uuid = await world.addCheck('By hand')
  const { status, location } = await world.bob.post(
    `/checks/${uuid}/ping/`,
    {},
    { 'User-Agent': 'A browser' },
  )
  assert.deepEqual([status, location], [303, `/checks/${uuid}/details/`])
  const { text } = await world.bob.get(`/checks/${uuid}/details/`)
  assert.match(text, /class="state is-up"/)
  assert.match(text, /POST from 127\.0\.0\.1, A browser/)
})
