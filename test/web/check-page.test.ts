import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../_support/ping-check.js'
import { openWebWorld } from '../_support/web-world.js'

const world = await openWebWorld()
const { alice, store, clock, project } = world
const bytes = (text: string) => new TextEncoder().encode(text)

/** What a person reads: the page without its markup. */
const read = (html: string) =>
  html
    .replace(/<(script|style|svg)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const details = async (uuid: string, query = '') => await alice.get(`/checks/${uuid}/details/${query}`)
const facts = async (uuid: string) => await store.checkFacts(project.id, uuid, clock.now())

const form = { kind: 'simple', period: '1 day', grace: '1 hour', name: 'Changed' }

test('a check that was never pinged says so and shows how to ping it in every language', async () => {
  const uuid = await world.addCheck('Fresh')
  const { status, text } = await details(uuid)
  assert.equal(status, 200)
  const words = read(text)
  assert.match(words, /Waiting for its first ping/)
  assert.match(words, /–\s*no data yet/)
  assert.doesNotMatch(words, /100\.00 %/)
  for (const label of [
    'Crontab',
    'Bash',
    'Python',
    'Node.js',
    'Go',
    'PHP',
    'Ruby',
    'PowerShell',
    'systemd',
    'Docker',
  ]) {
    assert.match(words, new RegExp(label))
  }
  assert.match(words, /Kubernetes/)
  assert.match(words, new RegExp(`--retry 5 -o /dev/null http://[^ ]+/ping/${uuid}`))
})

test('the state is told in words, with its reason and the end of the last output', async () => {
  const uuid = await world.addCheck('Told')
  await pingCheck(world, uuid)
  assert.match(read((await details(uuid)).text), /Up\. The next ping is expected\s+in 1 d/)
  clock.advance(86_400 + 1_800)
  assert.match(read((await details(uuid)).text), /Late: the ping was expected/)
  clock.advance(3_600)
  assert.match(read((await details(uuid)).text), /Down since .*No ping since .*grace ended/s)
  await pingCheck(world, uuid, 'success', { exitStatus: 2, body: bytes('disk full on /dev/sda1') })
  await pingCheck(world, uuid, 'fail', { exitStatus: 3, body: bytes('no space left') })
  const words = read((await details(uuid)).text)
  assert.match(words, /It reported a failure with exit status 3/)
  assert.match(words, /no space left/)
})

test('figures tell the usual duration, and the chart has every value', async () => {
  const uuid = await world.addCheck('Timed')
  for (const seconds of [10, 20, 30]) {
    await pingCheck(world, uuid, 'start')
    clock.advance(seconds)
    await pingCheck(world, uuid)
  }
  const { text } = await details(uuid)
  assert.match(read(text), /20 s\s*95 % within 30 s, of 3 timed runs/)
  for (const value of ['10 s', '20 s', '30 s'])
    assert.match(text, new RegExp(`succeeded after ${value}</title>`))
})

test('the timeline joins pings, changes and notifications, in pages and by kind', async () => {
  const uuid = await world.addCheck('Story')
  for (let n = 0; n < 30; n++) {
    await pingCheck(world, uuid, 'start')
    clock.advance(60)
    await pingCheck(world, uuid, n % 10 === 9 ? 'fail' : 'success')
    clock.advance(60)
  }
  const numbers = (text: string) =>
    [...text.matchAll(/class="event-n">#(\d+)</g)].map(match => Number(match[1]))
  const seen: number[] = []
  let query = ''
  let flips = 0
  for (let pages = 0; pages < 5; pages++) {
    const { text } = await details(uuid, query)
    seen.push(...numbers(text))
    flips += text.match(/event-flip/g)?.length ?? 0
    const older = /href="[^"]*\/details\/(\?[^"#]*before[^"#]*)#events">Older/.exec(text)?.[1]
    if (!older) break
    query = older.replaceAll('&amp;', '&')
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 60 }, (_, index) => 60 - index),
  )
  assert.equal(flips, 6)
  assert.deepEqual(numbers((await details(uuid, '?show=fail')).text), [60, 40, 20])
  assert.deepEqual(numbers((await details(uuid, '?show=flip')).text), [])
})

test('a ping shows all that is known of it, its body can be downloaded, and it leads to its neighbours', async () => {
  const uuid = await world.addCheck('Bodies')
  const rid = '11111111-2222-4333-8444-555555555555'
  await pingCheck(world, uuid, 'start', { rid })
  clock.advance(7)
  const evil = '<script>alert(1)</script>'
  const more = { rid, exitStatus: 4, ua: evil, remoteAddr: '203.0.113.9', method: 'POST', body: bytes(evil) }
  await pingCheck(world, uuid, 'fail', more)
  const last = await alice.open(`/checks/${uuid}/last_ping/`)
  assert.doesNotMatch(last.text, /<script>alert/)
  const words = read(last.text)
  for (const part of ['Ping #2', 'Exit status 4', '7 s', rid, '203.0.113.9', 'POST']) {
    assert.ok(words.includes(part), part)
  }
  assert.match(last.text, new RegExp(`/checks/${uuid}/pings/1/`))
  const body = await alice.get(`/checks/${uuid}/pings/2/body/`)
  assert.equal(body.headers.get('Content-Type'), 'application/octet-stream')
  assert.equal(body.headers.get('Content-Disposition'), `attachment; filename="${uuid}-2.txt"`)
  assert.equal(body.text, evil)
  assert.equal((await alice.get(`/checks/${uuid}/pings/1/body/`)).status, 404)
  assert.equal((await alice.get(`/checks/${uuid}/pings/3/`)).status, 404)
})

test('an e-mail is shown as text, as HTML source and as it came', async () => {
  const uuid = await world.addCheck('Mailed')
  const mail = [
    'From: cron@example.org',
    'Subject: =?utf-8?q?Backup_fertig_=E2=9C=93?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'all is well',
    '--x',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p onclick="alert(1)">all is <b>well</b></p>',
    '--x--',
    '',
  ].join('\r\n')
  await pingCheck(world, uuid, 'success', { scheme: 'email', method: '', body: bytes(mail) })
  const { text } = await alice.open(`/checks/${uuid}/last_ping/`)
  assert.match(text, /Backup fertig ✓/)
  for (const label of ['Text', 'HTML', 'Source'])
    assert.match(text, new RegExp(`<label for="body-\\d">${label}<`))
  assert.match(text, /&lt;p onclick=&quot;alert\(1\)&quot;&gt;/)
  assert.doesNotMatch(text, /<p onclick/)
})

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
  assert.match(text, /3 fields need another look/)
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
    const words = read(text)
    assert.match(words, /At 03:30 every day/)
    assert.match(words, /you would be told/)
    assert.match(words, /03:30:00 UTC\+02:00/)
    assert.match(words, /01:30:00 UTC/)
  }
  assert.equal((await facts(uuid)).check.kind, 'simple')
  assert.match((await alice.get('/checks/preview/?kind=cron&cron=x&grace=1h')).text, /class="error"/)
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

  assert.match((await alice.get(`/checks/${uuid}/remove/`)).text, /cannot be undone/)
  assert.equal((await act('remove')).location, `/projects/${project.uuid}/checks/`)
  assert.equal((await details(uuid)).status, 404)
})

test('a check moves to another project of the reader and tells the channels there', async () => {
  const uuid = await world.addCheck('Moved')
  const other = await world.projectOf(alice, 'Other')
  const channel = await store.createChannel({
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
  const moved = await store.checkFacts(other.id, uuid, clock.now())
  assert.deepEqual(
    moved.channels.map(({ uuid: id, on }) => [id, on]),
    [[channel.uuid, true]],
  )
  assert.equal((await store.projectOverviews([other.uuid], clock.now()))[0]!.checks, 1)
})

test('a channel is switched on and off for a check; a channel of another project is not found', async () => {
  const uuid = await world.addCheck('Switched')
  const make = async (projectId: number) =>
    (await store.createChannel({ projectId, name: 'x', kind: 'webhook', settings: {}, members: [], now: 1 }))
      .uuid
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

test('the times of the timeline stand in the zone that was asked for', async () => {
  const reader = await world.person('tokyo')
  await world.store.putMember({ projectId: world.project.id, userId: reader.id, role: 'readonly', now: 1 })
  await world.store.setPreferences(reader.id, { timezone: 'Asia/Tokyo', theme: 'auto' })
  const uuid = await world.addCheck('Zoned')
  await world.store.updateCheck(world.project.id, uuid, { changes: { tz: 'America/New_York' }, now: 1 })
  await world.send('GET', `/ping/${uuid}`)
  const shown = async (query: string) => {
    const { text } = await reader.get(`/checks/${uuid}/details/${query}`)
    return /<ol class="timeline"[\s\S]*?title="[^"]*(UTC[^",]*)/.exec(text)![1]
  }
  assert.equal(await shown(''), 'UTC+09:00')
  assert.equal(await shown('?zone=utc'), 'UTC')
  assert.match((await shown('?zone=check'))!, /^UTC-0[45]:00/)
  assert.equal(await shown('?zone=mars'), 'UTC+09:00')
})
