/** Pages that stay true: while time passes, while nobody looks at them, and while the server cannot be reached. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProfile, PHONE, troubles, type View } from '../_support/browser/browser.js'
import { openLooseCable } from '../_support/servers/loose-cable.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, clock } = world

async function ownCheck(name: string) {
  const { id, uuid } = await world.projectOf(alice, name)
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

type ClockedPage = Awaited<ReturnType<typeof openWithClock>>

async function setHidden(page: ClockedPage, hidden: boolean) {
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
    ['/', '#down-now', 'Down since'],
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

test('a tab that nobody sees keeps its title and its icon right', async () => {
  const { check, list, settings } = await ownCheck('Hidden')
  for (const path of [list, settings]) {
    const page = await openWithClock(path)
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
