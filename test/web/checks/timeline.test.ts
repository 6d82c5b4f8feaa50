/** The timeline of all checks: what is on it, in words and as bars, and who sees it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, rita, charlie, clock } = world
const path = `/projects/${world.project.uuid}/timeline/`
const HOUR = 3_600_000

/** An instant as addresses have it. */
const minute = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`

const began = clock.now()
const backup = await world.addCheck('Backup')
const quiet = await world.addCheck('Quiet')
await world.send('POST', `/ping/${backup}/start`)
clock.advance(300)
await world.send('POST', `/ping/${backup}`)
clock.advance(3_000)
await world.send('POST', `/ping/${backup}/start`)
clock.advance(120)
await world.send('POST', `/ping/${backup}/2`, { body: 'tar: <disk> full' })
clock.advance(600)
const range = `from=${minute(began - HOUR)}&to=${minute(clock.now() + HOUR)}`

test('a sentence says what happened, and a lane has the runs of a check', async () => {
  const page = await alice.get(`${path}?${range}`)
  assert.equal(page.status, 200)
  const words = wordsOf(page.text)
  assert.match(words, /to now: 1 check ran 2 times\. 1 run failed; 1 check is still down\./)
  assert.match(words, /Backup2 runs, 1 failed/)
  assert.match(words, /1 check had no runs in this time\./)
  assert.doesNotMatch(words, /Quiet/)
  assert.match(page.text, /class="lane-failed" d="M/)
  assert.match(page.text, /class="lane-down" d="M/)
})

test('time before the first check and time to come are unknown, and are not called quiet', async () => {
  const { text } = await alice.get(`${path}?${range}`)
  assert.match(wordsOf(text), /1 check is still down\. No check existed before /)
  assert.match(text, /class="lane-unknown" fill="url\(#lane-hatch\)" d="M0 0h\d+v20h-\d+zM\d+ 0h/)
  const ask = async (from: number, to: number) =>
    wordsOf((await alice.get(`${path}?view=list&from=${minute(from)}&to=${minute(to)}`)).text)
  const before = await ask(began - 3 * HOUR, began - 2 * HOUR)
  assert.match(before, /: No check existed before /)
  assert.match(before, /2 checks were created later\./)
  assert.doesNotMatch(before, /Nothing went wrong|no check ran/)
  const coming = await ask(clock.now() + HOUR, clock.now() + 2 * HOUR)
  assert.match(coming, /: this time is still to come\./)
  assert.doesNotMatch(coming, /Nothing went wrong|no check ran/)
})

test('the runs of a chosen check stand beside the lanes, with the output of the one that failed', async () => {
  const page = await alice.get(`${path}?${range}&check=${backup}`)
  const words = wordsOf(page.text)
  assert.match(words, /succeeded after 5 min/)
  assert.match(words, /failed with exit status 2 after 2 min/)
  assert.match(page.text, /tar: &lt;disk&gt; full/)
  assert.match(page.text, new RegExp(`/checks/${backup}/pings/4/`))
  assert.equal((await alice.get(`${path}?${range}&check=${quiet}`)).status, 200)
})

test('the list form has what went wrong in the order of time', async () => {
  const words = wordsOf((await alice.get(`${path}?${range}&view=list`)).text)
  assert.match(words, /failed with exit status 2 after 2 minBackup/)
  assert.doesNotMatch(words, /succeeded after/)
})

test('the timeline of a project without checks leads to its first one', async () => {
  const { uuid, id } = await world.projectOf(alice, 'Empty')
  const main = async (query = '') => wordsOf((await alice.get(`/projects/${uuid}/timeline/${query}`)).text)
  assert.match(await main(), /No checks yet.*Create the first check/s)
  assert.doesNotMatch(await main('?search=zzz'), /No checks yet/)
  await world.addCheck('Backup', id)
  assert.doesNotMatch(await main(), /No checks yet/)
})

test('a name and a tag choose checks', async () => {
  assert.match(wordsOf((await alice.get(`${path}?${range}&search=BACK`)).text), /1 check ran 2 times/)
  assert.match(wordsOf((await alice.get(`${path}?${range}&tag=prod`)).text), /: no check ran\./)
})

test('addresses that make no sense show the last night', async () => {
  for (const query of [
    '',
    '?from=x&to=y',
    '?range=never',
    '?from=2026-02-30T00:00&to=',
    '?check=%00',
    '?zone=mars',
  ]) {
    const page = await alice.get(path + query)
    assert.equal(page.status, 200, query)
    assert.match(page.text, /aria-current="true">Last night</, query)
  }
  const endless = await alice.get(`${path}?from=0001-01-01T00:00&to=9999-12-31T23:59`)
  assert.equal(endless.status, 200)
  const reversed = await alice.get(`${path}?from=2026-01-02T00:00&to=2026-01-01T00:00`)
  assert.equal(reversed.status, 200)
})

test('the timeline of all projects has only those of the reader', async () => {
  assert.match(wordsOf((await alice.get(`/timeline/?${range}`)).text), /Backup/)
  assert.match(wordsOf((await rita.get(`/timeline/?${range}&check=${backup}`)).text), /Backup/)
  const outsiders = await charlie.get(`/timeline/?${range}&check=${backup}`)
  assert.doesNotMatch(wordsOf(outsiders.text), /Backup|disk/)
  assert.equal((await charlie.get(`${path}?${range}`)).status, 404)
  assert.equal((await world.stranger().get('/timeline/')).status, 302)
})

test('of many checks, those without trouble are folded until they are asked for', async () => {
  const failed = await world.addCheck('Zulu fails')
  await world.send('POST', `/ping/${failed}/fail`)
  const project = await world.store.projects.create({
    name: 'Fleet',
    ownerId: alice.id,
    pingKey: 'fleet',
    now: clock.now(),
  })
  for (let i = 0; i < 62; i++) {
    const uuid = await world.addCheck(`Job ${String(i).padStart(2, '0')}`, project.id)
    await world.send('POST', `/ping/${uuid}${i === 61 ? '/fail' : ''}`)
  }
  clock.advance(60)
  const fleet = `/projects/${project.uuid}/timeline/?from=${minute(began - HOUR)}&to=${minute(clock.now() + HOUR)}`
  const lanes = (text: string) => text.split('class="lane-check"').length - 1
  const { text } = await alice.get(fleet)
  assert.equal(lanes(text), 21, 'the one in trouble and twenty others')
  assert.match(wordsOf(text), /Job 61.*Show 41 more checks without trouble/)
  const [, all] = /href="([^"]+)"[^>]*>\s*Show 41 more/.exec(text)!
  assert.equal(lanes((await alice.get(all!.replaceAll('&amp;', '&'))).text), 62)
})

test('the list of what went wrong is in the order of the times that it shows', async () => {
  const own = await world.projectOf(alice, 'Ordered')
  const [long, short] = [await world.addCheck('Long', own.id), await world.addCheck('Short', own.id)]
  for (const uuid of [long, short]) {
    await world.send('POST', `/ping/${uuid}/start`)
    clock.advance(5)
  }
  clock.advance(55)
  await world.send('POST', `/ping/${short}/fail`)
  clock.advance(600)
  await world.send('POST', `/ping/${long}/fail`)
  const span = `from=${minute(clock.now() - HOUR)}&to=${minute(clock.now() + HOUR)}`
  const { text } = await alice.get(`/projects/${own.uuid}/timeline/?view=list&${span}`)
  assert.match(wordsOf(text), /after 1 min.*Short.*after 11 min.*Long/s)
})

test('the sentence names the tag of checks that went down together, which leads to them', async () => {
  const own = await world.projectOf(alice, 'Hosts')
  const add = async (name: string, tags: string) => {
    const asked = { changes: { name, tags }, unique: null, now: clock.now() }
    return (await world.store.checks.create(own.id, asked)).check.uuid
  }
  for (const tags of ['db1', 'web', 'db1 slow', 'db1', 'db1', 'web']) {
    const uuid = await add(`Job of ${tags}`, tags)
    await world.send('POST', `/ping/${uuid}${tags === 'web' ? '' : '/fail'}`)
    clock.advance(30)
  }
  const span = `from=${minute(clock.now() - HOUR)}&to=${minute(clock.now() + HOUR)}`
  const hosts = `/projects/${own.uuid}/timeline/`
  const { text } = await alice.get(`${hosts}?${span}`)
  assert.match(wordsOf(text), /4 checks with tag db1 went down between \d\d:\d\d and \d\d:\d\d\./)
  const link = new RegExp(`<a href="(${hosts}[^"]*tag=db1[^"]*)">db1</a>`).exec(text)![1]!
  const tagged = wordsOf((await alice.get(link.replaceAll('&amp;', '&'))).text)
  assert.match(tagged, /4 checks ran 4 times/)
})

test('a project without checks leads to the first one, and a filter without checks leads back', async () => {
  const own = await world.projectOf(alice, 'Nothing')
  const empty = `/projects/${own.uuid}/timeline/`
  const { text } = await alice.get(empty)
  assert.match(text, new RegExp(`href="/projects/${own.uuid}/checks/">Create the first check<`))
  assert.doesNotMatch(text, /lane-axis|class="chips"/)
  const unmatched = (await alice.get(`${path}?range=today&tag=no-such`)).text
  assert.match(unmatched, new RegExp(`href="${path}\\?range=today">Show all checks<`))
  assert.doesNotMatch(unmatched, /lane-axis/)
  const reader = await world.person('reader')
  await world.store.projects.putMember({ projectId: own.id, userId: reader.id, role: 'readonly', now: 1 })
  assert.doesNotMatch((await reader.get(empty)).text, /Create the first check/)
  assert.match((await world.person('lonely').then(one => one.get('/timeline/'))).text, /Choose a project</)
})

test('a time without any run leads to the last seven days', async () => {
  const own = await world.projectOf(alice, 'Asleep')
  const uuid = await world.addCheck('Asleep', own.id)
  await world.send('POST', `/ping/${uuid}`)
  clock.advance(7_200)
  const [hour, week] = await Promise.all(
    ['hour', 'week'].map(
      async range => (await alice.get(`/projects/${own.uuid}/timeline/?range=${range}`)).text,
    ),
  )
  assert.match(hour!, /href="[^"]*range=week">Show the last 7 days</)
  assert.doesNotMatch(week!, /Show the last 7 days/)
})

test('the days of a list are headings, and its times are alone', async () => {
  const own = await world.projectOf(alice, 'Days')
  const uuid = await world.addCheck('Days', own.id)
  for (let day = 0; day < 2; day++) {
    await world.send('POST', `/ping/${uuid}/fail`)
    clock.advance(86_400)
  }
  const query = `?range=week&check=${uuid}`
  for (const [view, class_] of [
    ['', 'run-lines'],
    ['&view=list', 'lane-events'],
  ] as const) {
    const { text } = await alice.get(`/projects/${own.uuid}/timeline/${query}${view}`)
    const list = new RegExp(`<ol class="${class_}">.*?</ol>`, 's').exec(text)![0]
    assert.equal(list.split('class="day-head"').length, 3, view)
    assert.doesNotMatch(wordsOf(list), /Jan \d\d:\d\d/, view)
  }
})
