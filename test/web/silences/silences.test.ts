/** The page of silences, its form, snoozing, and the marks of silenced checks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenLive } from '../../_support/servers/live-stream.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, store, clock, project } = world
const HOME = `/projects/${project.uuid}/silences/`
const current = async () => await store.silences.list(project.id, clock.now())
const endAll = async () => {
  for (const { id } of await current()) await store.silences.end(project.id, id, clock.now())
}
const in2Hours = () => new Date(clock.now() + 2 * 3_600_000).toISOString().slice(0, 16)

const weekly = {
  when: 'recurring',
  schedule: '0 2 * * sun',
  duration: '2 h',
  timezone: 'Europe/Riga',
  scope: 'tags',
  tags: 'db  eu',
  mode: 'expect_nothing',
  held: 'all',
  reason: 'Backup window',
}

test('a silence is created from the form, listed, changed and ended', async () => {
  assert.equal((await bob.get(`${HOME}add/`)).status, 200)
  const { status, location } = await bob.post(`${HOME}add/`, weekly)
  assert.deepEqual([status, location], [303, HOME])
  const [silence, ...others] = await current()
  assert.deepEqual(others, [])
  const { mode, scope, channels, times, reason, createdBy } = silence!
  assert.deepEqual(
    { mode, scope, channels, reason, createdBy },
    {
      mode: 'expect_nothing',
      scope: { tags: ['db', 'eu'] },
      channels: null,
      reason: 'Backup window',
      createdBy: 'bob@example.org',
    },
  )
  assert.deepEqual(times, {
    kind: 'cron',
    schedule: '0 2 * * sun',
    tz: 'Europe/Riga',
    durationSeconds: 7200,
    from: clock.now(),
  })
  const listed = wordsOf((await rita.get(HOME)).text)
  assert.match(
    listed,
    /Coming.*Backup window.*by bob@example.org.*checks tagged db or eu.*nothing is expected/,
  )
  assert.match(listed, /Sunday.*for 2 hours, Europe\/Riga/)
  const edit = `${HOME}${silence!.id}/edit/`
  assert.match((await alice.get(edit)).text, /value="2 hours"/)
  assert.equal((await alice.post(edit, { ...weekly, duration: '90 min' })).status, 303)
  const [changed] = await current()
  assert.deepEqual(changed!.times, { ...times, durationSeconds: 5400 })
  assert.equal((await alice.post(`${HOME}${silence!.id}/end/`)).status, 303)
  assert.deepEqual(await current(), [])
  assert.match(wordsOf((await rita.get(HOME)).text), /Past.*Backup window.*until 12:00/)
})

test('a silence begins and ends by the clock of the reader', async () => {
  const reader = await world.person('riga')
  await store.projects.putMember({
    projectId: project.id,
    userId: reader.id,
    role: 'member',
    now: clock.now(),
  })
  await reader.post('/accounts/profile/', { timezone: 'Europe/Riga', theme: 'auto' })
  const day = new Date(clock.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const asked = {
    when: 'once',
    from: `${day}T10:00`,
    to: `${day}T12:30`,
    scope: 'project',
    mode: 'hold',
    held: 'all',
  }
  assert.equal((await reader.post(`${HOME}add/`, asked)).status, 303)
  const [silence] = await current()
  const length = silence!.times.kind === 'once' ? silence!.times.to - silence!.times.from : 0
  assert.equal(length, 2.5 * 3_600_000)
  assert.equal(
    new Date(silence!.times.from).toLocaleString('sv', { timeZone: 'Europe/Riga' }),
    `${day} 10:00:00`,
  )
  await endAll()
})

test('each mistake is shown at its field, with what was typed', async () => {
  for (const [changes, message] of [
    [{ duration: 'long' }, /Enter how long each window lasts/],
    [{ duration: '8 days' }, /lasts from 1 minute to 1 week/],
    [{ schedule: '0 25 * * *' }, /the hour, cannot be "25"/],
    [{ timezone: 'Europe/Nowhere' }, /is not a time zone/],
    [{ tags: ' ' }, /Choose at least one\./],
    [{ scope: 'checks' }, /This project has no check\./],
    [{ held: 'some' }, /This project has no integration\./],
    [{ when: 'once', to: '' }, /Enter when it ends/],
    [{ when: 'once', to: '2001-01-01T00:00' }, /The end is/],
    [{ from: 'soon' }, /not a date and a time/],
  ] as const) {
    const { status, text } = await alice.post(`${HOME}add/`, { ...weekly, ...changes })
    assert.equal(status, 400, JSON.stringify(changes))
    assert.match(wordsOf(text), message)
    assert.ok(text.includes('value="Backup window"'))
  }
  assert.deepEqual(await current(), [])
})

test('the form shows the next windows without saving, with script and without', async () => {
  const { text } = await alice.post(`${HOME}add/`, { ...weekly, preview: '1' })
  assert.match(wordsOf(text), /The next windows.*Sun.*2 h/)
  assert.deepEqual(await current(), [])
  const query = new URLSearchParams({ ...weekly, tags: '' })
  const part = await alice.get(`/silences/preview/?${query}`)
  assert.match(wordsOf(part.text), /^At 02:00 on Sunday, for 2 hours/i)
  assert.equal(part.text.match(/<tr>/g)!.length, 6)
  const wrong = await alice.get('/silences/preview/?when=recurring&schedule=x')
  assert.equal(wrong.status, 200)
})

test('a check is snoozed with one click, its row and its page say so, and it is woken again', async () => {
  const uuid = await world.addCheck('Backup')
  const other = await world.addCheck('Other')
  const snoozed = await bob.post(`/checks/${uuid}/snooze/`, { for: '3600' })
  assert.equal(snoozed.status, 303)
  const [silence] = await current()
  assert.deepEqual(
    silence!.namedChecks!.map(check => check.uuid),
    [uuid],
  )
  assert.equal(silence!.overAt, clock.now() + 3_600_000)
  const list = (await rita.get(`/projects/${project.uuid}/checks/`)).text
  const row = (id: string) => wordsOf(list.slice(list.indexOf(`id="c-${id}"`)).split('</tr>')[0]!)
  assert.match(row(uuid), /silenced until/)
  assert.doesNotMatch(row(other), /silenced/)
  const page = wordsOf((await rita.get(`/checks/${uuid}/details/`)).text)
  assert.match(page, /Silenced until .* by bob@example.org \(silences\)\./)
  assert.doesNotMatch(page, /End now/)
  assert.match(wordsOf((await bob.get(`/checks/${uuid}/details/`)).text), /End now/)
  await bob.post(`${HOME}${silence!.id}/end/`)
  assert.doesNotMatch(wordsOf((await rita.get(`/checks/${uuid}/details/`)).text), /silenced until/)
})

test('a snooze until tomorrow ends at nine by the reader’s clock', async () => {
  const uuid = await world.addCheck('Morning')
  await alice.post(`/checks/${uuid}/snooze/`, { for: 'tomorrow' })
  const [silence] = await current()
  const end = new Date(silence!.overAt!)
  assert.deepEqual([end.getUTCHours(), end.getUTCMinutes()], [9, 0])
  const days = Math.floor(silence!.overAt! / 86_400_000) - Math.floor(clock.now() / 86_400_000)
  assert.equal(days, 1)
  await endAll()
  for (const length of ['', 'x', '1', '99999999']) {
    assert.equal((await alice.post(`/checks/${uuid}/snooze/`, { for: length })).status, 400, length)
  }
  assert.deepEqual(await current(), [])
})

test('several checks are snoozed from the list by one silence', async () => {
  const uuids = [await world.addCheck('One'), await world.addCheck('Two')]
  const at = `/projects/${project.uuid}/checks/bulk/`
  const { status } = await alice.post(at, { check: uuids, action: 'snooze-14400' })
  assert.equal(status, 303)
  const silences = await current()
  assert.equal(silences.length, 1)
  assert.deepEqual(silences[0]!.namedChecks!.map(({ uuid }) => uuid).sort(), uuids.sort())
  await endAll()
})

test('open pages show a silence when it begins and when it ends, without a reload', async () => {
  const uuid = await world.addCheck('Live')
  const pages = [
    [`/projects/${project.uuid}/checks/live/`, `c-${uuid}`],
    [`/checks/${uuid}/live/`, 'state'],
    [`${HOME}live/`, 'silences'],
  ] as const
  for (const [path, id] of pages) {
    const stream = await listenLive(world.root, alice, path)
    await stream.event()
    await alice.post(`/checks/${uuid}/snooze/`, { for: '3600' })
    const begun = (await stream.event()) as { elements: Record<string, string> }
    assert.match(wordsOf(begun.elements[id]!), /until/)
    clock.advance(3600)
    store.changes.emit('checks', {})
    const ended = (await stream.event()) as { elements: Record<string, string> }
    assert.doesNotMatch(wordsOf(ended.elements[id]!), /silenced until|Now/i)
    stream.close()
  }
})

test('the schedule of a check says which of its runs are in a silence', async () => {
  const uuid = await world.addCheck('Scheduled')
  const timing = { kind: 'cron', cron: '30 2 * * *', tz: 'UTC', grace: '1 hour', name: 'Scheduled' }
  await alice.post(`/checks/${uuid}/edit/`, timing)
  const asked = { ...weekly, timezone: 'UTC', scope: 'checks', check: uuid }
  assert.equal((await alice.post(`${HOME}add/`, asked)).status, 303)
  const query = new URLSearchParams({ ...timing, check: uuid })
  for (const path of [`/checks/preview/?${query}`, `/checks/${uuid}/edit/`]) {
    const words = wordsOf((await alice.get(path)).text)
    assert.match(words, /Sun [^:]*:30:00 UTCnot expected: Backup window/)
    assert.doesNotMatch(words, /Mon [^:]*:30:00 UTCnot expected/)
  }
  const details = wordsOf((await rita.get(`/checks/${uuid}/details/`)).text)
  assert.match(details, /SilencesBackup window, next/)
  assert.equal((await charlie.get(`/checks/preview/?${query}`)).status, 404)
  await endAll()
})

test('a check is snoozed from the page of its incident, which is shown again', async () => {
  const uuid = await world.addCheck('Incident')
  await world.send('GET', `/ping/${uuid}/fail`)
  const page = `/projects/${project.uuid}/incidents/${await store.incidents.openIncident(uuid)}/`
  assert.match((await bob.get(page)).text, new RegExp(`action="/checks/${uuid}/snooze/"`))
  assert.doesNotMatch((await rita.get(page)).text, /snooze/)
  const snoozed = await bob.post(`/checks/${uuid}/snooze/`, { for: '3600' }, { Referer: world.root + page })
  assert.deepEqual([snoozed.status, snoozed.location], [303, page])
  await endAll()
})

test('a read-only member sees silences and has no buttons', async () => {
  await alice.post(`${HOME}add/`, {
    when: 'once',
    to: in2Hours(),
    scope: 'project',
    mode: 'hold',
    held: 'all',
  })
  const [silence] = await current()
  const { text } = await rita.get(HOME)
  assert.match(wordsOf(text), /Now.*all checks/)
  assert.doesNotMatch(text, /New silence|End now|\/edit\//)
  assert.equal((await rita.post(`${HOME}${silence!.id}/end/`)).status, 403)
  assert.equal((await charlie.get(HOME)).status, 404)
  const theirs = `/projects/${world.charlies.uuid}/silences/${silence!.id}`
  assert.equal((await charlie.get(`${theirs}/edit/`)).status, 404)
  assert.equal((await charlie.post(`${theirs}/end/`)).status, 404)
  assert.equal((await current()).length, 1)
  await endAll()
})
