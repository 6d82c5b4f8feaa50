/** The log of a check as a page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, charlie, clock } = world
const log = async (uuid: string, query = '') => await alice.get(`/checks/${uuid}/log/${query}`)

test('the log joins pings, changes and notifications, in pages and by kind', async () => {
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
    const { text } = await log(uuid, query)
    seen.push(...numbers(text))
    flips += text.match(/event-flip/g)?.length ?? 0
    const older = /href="[^"]*\/log\/(\?[^"#]*before[^"]*)">Older/.exec(text)?.[1]
    if (!older) break
    query = older.replaceAll('&amp;', '&')
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 60 }, (_, index) => 60 - index),
  )
  assert.equal(flips, 6)
  assert.deepEqual(numbers((await log(uuid, '?show=fail')).text), [60, 40, 20])
  assert.deepEqual(numbers((await log(uuid, '?show=flip')).text), [])
})

test('a ping that was sent later is shown with both of its times', async () => {
  const uuid = await world.addCheck('Late')
  const at = clock.now() - 5 * 3_600_000
  await world.send('GET', `/ping/${uuid}?at=${at / 1000}`)
  await world.send('GET', `/ping/${uuid}?at=${(clock.now() - 900) / 1000}`)
  const time = new Date(at).toISOString()
  const lines = (await log(uuid)).text.split('class="event-n"')
  assert.match(lines[1]!, new RegExp(`ran at <time datetime="${time}"`))
  assert.doesNotMatch(lines[0]!, /ran at/, 'not if it is only a moment late')
  const page = (await alice.get(`/checks/${uuid}/pings/1/`)).text
  assert.match(page, new RegExp(`<dt>Ran at</dt><dd><time datetime="${time}"`))
  assert.match(page, /<dt>Reported at<\/dt>/)
  assert.match((await alice.get(`/checks/${uuid}/pings/2/`)).text, /<dt>When<\/dt>/)
})

test('an outsider finds no log, and no changes of it', async () => {
  const uuid = await world.addCheck('Hers')
  assert.equal((await alice.get(`/checks/${uuid}/log/`)).status, 200)
  for (const path of ['log/', 'log/live/']) {
    assert.equal((await charlie.get(`/checks/${uuid}/${path}`)).status, 404)
  }
})

test('the times of the log stand in the zone that was asked for', async () => {
  const reader = await world.person('tokyo')
  await world.store.projects.putMember({
    projectId: world.project.id,
    userId: reader.id,
    role: 'readonly',
    now: 1,
  })
  await world.store.people.setPreferences(reader.id, { timezone: 'Asia/Tokyo', theme: 'auto' })
  const uuid = await world.addCheck('Zoned')
  await world.store.checks.update(world.project.id, uuid, { changes: { tz: 'America/New_York' }, now: 1 })
  await world.send('GET', `/ping/${uuid}`)
  const shown = async (query: string) => {
    const { text } = await reader.get(`/checks/${uuid}/log/${query}`)
    return /<ol class="timeline"[\s\S]*?title="[^"]*(UTC[^",]*)/.exec(text)![1]
  }
  assert.equal(await shown(''), 'UTC+09:00')
  assert.equal(await shown('?zone=utc'), 'UTC')
  assert.match((await shown('?zone=check'))!, /^UTC-0[45]:00/)
  assert.equal(await shown('?zone=mars'), 'UTC+09:00')
})

test('the log has a heading for each day, and begins with the day that was asked for', async () => {
  const uuid = await world.addCheck('Days')
  clock.advance(86_400)
  const days: string[] = []
  for (let n = 0; n < 3; n++) {
    await pingCheck(world, uuid, 'log')
    days.push(new Date(clock.now()).toISOString().slice(0, 10))
    clock.advance(86_400)
  }
  const numbers = (text: string) =>
    [...text.matchAll(/class="event-n">#(\d+)</g)].map(match => Number(match[1]))
  const all = (await log(uuid)).text
  assert.equal(all.match(/class="day-head"/g)?.length, 3)
  assert.match(all, /<h3>Yesterday<\/h3>/)
  for (const [index, day] of days.entries()) {
    const { text } = await log(uuid, `?day=${day}`)
    assert.equal(numbers(text)[0], index + 1)
    assert.match(text, new RegExp(`name="day" value="${day}"`))
  }
  assert.deepEqual(numbers((await log(uuid, '?day=2001-01-01')).text), [])
  assert.deepEqual(numbers((await log(uuid, '?day=today')).text), [3, 2, 1])
})

test('chips show one kind of event, more, or all again', async () => {
  const uuid = await world.addCheck('Chips')
  await pingCheck(world, uuid, 'start')
  await pingCheck(world, uuid, 'fail')
  const chip = (text: string, label: string) =>
    new RegExp(`href="[^"]*/log/([^"]*)"[^>]*>${label}</a>`).exec(text)![1]!.replaceAll('&amp;', '&')
  const all = (await log(uuid)).text
  assert.equal(chip(all, 'Starts'), '?show=start')
  const starts = (await log(uuid, '?show=start')).text
  assert.match(starts, /aria-current="true">Starts</)
  assert.equal(chip(starts, 'Failures'), '?show=start&show=fail')
  assert.equal(chip(starts, 'Starts'), '')
  assert.equal(chip(starts, 'All'), '')
})

/** The fold of a log in words, and the numbers of its pings. */
function foldOf(text: string) {
  const [, summary, inside] =
    /class="equal-failures">.*?<summary[^>]*>(.*?)<\/summary>(.*?)<\/details>/s.exec(text)!
  return {
    words: wordsOf(summary!),
    numbers: [...inside!.matchAll(/id="ping-(\d+)"/g)].map(match => Number(match[1])),
  }
}

test('equal failures one after another are one row that opens, whatever else is shown', async () => {
  const uuid = await world.addCheck('Again')
  const send = (body: string, exitStatus = 1) =>
    pingCheck(world, uuid, 'fail', { exitStatus, body: new TextEncoder().encode(body) })
  // At noon, so that all are on one day.
  clock.advance(86_400 - (clock.now() % 86_400_000) / 1000 + 43_200)
  await send('first\nonly the first is below its alert')
  for (let n = 0; n < 3; n++) {
    clock.advance(600)
    await pingCheck(world, uuid, 'start')
    clock.advance(60)
    await send(`disk full\nline ${n}`)
  }
  clock.advance(60)
  await send('disk full', 2)
  const { words, numbers } = foldOf((await log(uuid)).text)
  assert.match(words, /^12:33 ?Exit status 1 ?3 equal failures, 12:11 to 12:33 ?disk full$/)
  assert.deepEqual(numbers, [7, 6, 5, 4, 3, 2])
  const failures = foldOf((await log(uuid, '?show=fail')).text)
  assert.match(failures.words, /3 equal failures, 12:11 to 12:33/)
  assert.deepEqual(failures.numbers, [7, 5, 3])
  const starts = (await log(uuid, '?show=start')).text
  assert.doesNotMatch(starts, /equal-failures/)
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  assert.deepEqual(foldOf((await log(uuid, `?day=${day}`)).text).numbers, numbers)
  const page = (await alice.get(`/checks/${uuid}/details/`)).text
  assert.match(foldOf(page).words, /^12:32 ?Exit status 1 ?3 equal failures, 12:10 to 12:32 ?disk full$/)
})
