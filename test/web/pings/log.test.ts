/** The log of a check as a page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
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
