/** Pages that stay true: while time passes, while nobody looks at them, and while the server cannot be reached. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newProfile, PHONE, troubles, type View } from '../_support/browser/browser.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { eventually } from '../_support/eventually.js'
import { listenLive } from '../_support/servers/live-stream.js'
import { openLooseCable } from '../_support/servers/loose-cable.js'
import { openWebWorld, type Person } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, clock } = world

async function ownCheck(name: string, owner = alice) {
  const { id, uuid } = await world.projectOf(owner, name)
  return {
    check: await world.addCheck(name, id),
    list: `/projects/${uuid}/checks/`,
    settings: `/projects/${uuid}/settings/`,
  }
}

/** Opens a page whose clock is the server's, so that it can be put forward. */
async function openWithClock(path: string, root = world.root, view: View = {}) {
  const profile = await newProfile(view)
  await profile.addCookies([...alice.cookies].map(([name, value]) => ({ name, value, url: root })))
  const page = await profile.newPage()
  const complaints = troubles(page)
  await page.clock.install({ time: clock.now() })
  const streamed = new Promise<void>(resolve => {
    page.on('response', response => new URL(response.url()).pathname.endsWith('/live/') && resolve())
  })
  await page.goto(root + path)
  return Object.assign(page, { complaints, streamed })
}

/** The number of a person's streams, from how many of ten they can still open. */
async function openStreams(person: Person): Promise<number> {
  const asked = await Promise.all(Array.from({ length: 10 }, () => listenLive(world.root, person, '/live/')))
  for (const stream of asked) stream.close()
  return asked.filter(({ response }) => response.status === 429).length
}

async function setHidden(page: Page, hidden: boolean) {
  await page.evaluate(value => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('how long a check has been down goes on, in the list, on its page and in the overview', async () => {
  const { check, list } = await ownCheck('Ticking')
  await world.send('GET', `/ping/${check}/fail`)
  const places = [
    [list, 'tr.check .state-line', 'down for'],
    [`/checks/${check}/details/`, '#state .state-words', 'Down since'],
    ['/projects/', '#down-now', 'Down since'],
  ] as const
  for (const [path, selector, words] of places) {
    const page = await openWithClock(path)
    const elapsed = page.locator(selector).locator('time[data-elapsed]').first()
    assert.match((await page.locator(selector).first().textContent())!, new RegExp(words))
    assert.match((await elapsed.textContent())!, /^\d s$/)
    await page.clock.fastForward(65_000)
    await page.clock.runFor(6_000)
    assert.equal(await elapsed.textContent(), '1 min', path)
    await page.context().close()
  }
})

test('a failure that arrives live counts from its first second', async () => {
  const { check, list } = await ownCheck('Arriving')
  const page = await openWithClock(list)
  await page.locator('tr.check').waitFor()
  await world.send('GET', `/ping/${check}/fail`)
  const elapsed = page.locator('.state-line time[data-elapsed]')
  await elapsed.waitFor()
  assert.match((await elapsed.textContent())!, /^\d+ s$/)
  await page.clock.fastForward(130_000)
  await page.clock.runFor(6_000)
  assert.equal(await elapsed.textContent(), '2 min')
  await page.context().close()
})

test('tabs that nobody sees keep title and icon right, through one stream for all of them', async () => {
  // Whose streams are those of this test alone: browsers that were closed keep theirs for a while.
  const sharer = await world.person('sharer')
  const { check, list, settings } = await ownCheck('Shared', sharer)
  const page = await openWindow(world, sharer, list)
  const others = []
  for (const path of [list, settings, '/projects/', '/docs/']) {
    const other = await page.context().newPage()
    await other.goto(world.root + path)
    others.push(other)
  }
  const tabs: Page[] = [page, ...others]
  for (const tab of tabs) {
    // Without the requests that stand in for the stream.
    await tab.route('**/problems/', route => route.abort())
    await setHidden(tab, true)
  }
  await world.send('GET', `/ping/${check}/fail`)
  for (const tab of tabs) {
    await tab.waitForFunction(() => document.title.startsWith('('))
    assert.match((await tab.locator('#favicon').getAttribute('href'))!, /favicon-down/)
  }
  await world.send('GET', `/ping/${check}`)
  await page.waitForFunction(() => !document.title.startsWith('('))
  // Each tab has closed its own.
  await eventually(async () => (await openStreams(sharer)) === 1)
  await closeWindow(page)
})

test('where tabs cannot share a stream, each asks for the count', async () => {
  const { check, list, settings } = await ownCheck('Hidden')
  for (const path of [list, settings]) {
    const page = await openWithClock(path)
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
    await page.reload()
    await setHidden(page, true)
    await world.send('GET', `/ping/${check}/fail`)
    await page.clock.fastForward(31_000)
    await page.waitForFunction(() => document.title.startsWith('(1) '))
    assert.match((await page.locator('#favicon').getAttribute('href'))!, /favicon-down/)
    await world.send('GET', `/ping/${check}`)
    await page.clock.fastForward(31_000)
    await page.waitForFunction(() => !document.title.startsWith('('))
    assert.doesNotMatch((await page.locator('#favicon').getAttribute('href'))!, /favicon-down/)
    assert.deepEqual(page.complaints, [])
    await page.context().close()
  }
})

test('a page says within ten seconds that it is not connected, and catches up', async () => {
  const { check, list } = await ownCheck('Unplugged')
  await world.send('GET', `/ping/${check}`)
  const cable = await openLooseCable(world.root)
  const page = await openWithClock(list, cable.root, PHONE)
  await page.locator('tr.is-up').waitFor()
  const line = page.locator('#connection', { hasText: 'Not connected' })
  await page.streamed
  assert.equal(await line.count(), 0)

  cable.cut()
  await page.clock.fastForward(9_000)
  await line.waitFor()
  assert.match(
    (await line.textContent())!,
    /^Not connected since \d\d:\d\d, showing what was known then\. Retrying\.$/,
  )
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= PHONE.width)
  assert.equal(await page.locator('body.is-stale').count(), 0)
  await page.clock.fastForward(60_000)
  await page.locator('body.is-stale').waitFor()

  await world.send('GET', `/ping/${check}/fail`)
  cable.mend()
  await page.clock.fastForward(20_000)
  await page.locator('tr.is-down').waitFor()
  await line.waitFor({ state: 'detached' })
  assert.equal(await page.locator('body.is-stale').count(), 0)
  assert.match(await page.title(), /^\(1\) /)
  await page.context().close()
})

test('a page that could not be fetched when it was back catches up soon', async () => {
  const { check, list } = await ownCheck('Fetched twice')
  const page = await openWithClock(list)
  await page.streamed
  await setHidden(page, true)
  await world.send('GET', `/ping/${check}/fail`)
  let failed = 0
  await page.route(world.root + list, async route => {
    if (failed++ === 0) await route.abort()
    else await route.continue()
  })
  await setHidden(page, false)
  await eventually(() => failed === 1)
  await page.clock.fastForward(5_000)
  await page.locator('tr.is-down').waitFor()
  await page.context().close()
})

test('where a stream is refused the page is fetched now and then, and says nothing', async () => {
  const { check, list } = await ownCheck('Refused')
  const page = await openWithClock('/docs/')
  await page.route('**/live/*', route => route.fulfill({ status: 429, body: '' }))
  await page.goto(world.root + list)
  await page.streamed
  await world.send('GET', `/ping/${check}/fail`)
  await page.clock.fastForward(21_000)
  await page.locator('tr.is-down').waitFor()
  assert.equal(await page.locator('#connection', { hasText: 'Not connected' }).count(), 0)
  await page.context().close()
})

test('after the machine has slept the page says so, and catches up when the network is back', async () => {
  const { check, list } = await ownCheck('Asleep')
  await world.send('GET', `/ping/${check}`)
  const cable = await openLooseCable(world.root)
  const page = await openWithClock(list, cable.root)
  await page.streamed
  const line = page.locator('#connection', { hasText: 'Not connected' })
  await page.context().setOffline(true)
  cable.cut()
  await world.send('GET', `/ping/${check}/fail`)
  await page.clock.fastForward(3_600_000)
  await line.waitFor()
  await page.locator('body.is-stale').waitFor()
  cable.mend()
  await page.context().setOffline(false)
  await page.locator('tr.is-down').waitFor()
  await line.waitFor({ state: 'detached' })
  assert.equal(await page.locator('body.is-stale').count(), 0)
  await page.context().close()
})
