/** Pages in narrow windows, from the smallest phones on: nothing sticks out at the side. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { pingCheck } from '../_support/ping-check.js'
import { addRealChecks } from '../_support/worlds/real-checks.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, store, clock } = world
await store.people.setPreferences(alice.id, { timezone: 'Europe/Berlin', theme: 'auto' })
const project = await world.projectOf(alice, 'Example Ltd production')
const [failed, , simple, late] = await addRealChecks(world, project.id)
clock.advance(3600)

const PAGES = [
  '/projects/',
  `/projects/${project.uuid}/checks/`,
  `/projects/${project.uuid}/checks/add/`,
  `/projects/${project.uuid}/log/`,
  `/checks/${failed}/details/`,
  `/checks/${simple}/details/`,
  `/checks/${late}/details/`,
  `/checks/${failed}/pings/3/`,
  '/accounts/profile/',
]

for (const path of PAGES) {
  test(`${path.replace(/[0-9a-f-]{36}/, '…')} fits windows of 320 to 1280 pixels`, async () => {
    const page = await openWindow(world, alice, path)
    for (const width of [320, 360, 375, 414, 560, 641, 700, 768, 853, 960, 1001, 1024, 1100, 1280]) {
      await page.setViewportSize({ width, height: 640 })
      const scroll = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(scroll <= width, `${scroll} wide at ${width}`)
    }
    await closeWindow(page)
  })
}

/** The numbers of lines of these texts. */
const linesOf = (texts: Locator) =>
  texts.evaluateAll(all =>
    all.map(one => {
      const range = document.createRange()
      range.selectNodeContents(one)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    }),
  )

for (const [path, name] of [
  ['/projects/', '.down-name .name'],
  ['/checks/', '.name-line .name'],
  ['/incidents/', '.incident .name'],
  [`/projects/${project.uuid}/incidents/`, '.incident .name'],
  [`/projects/${project.uuid}/log/`, '.log-check .name'],
] as const) {
  for (const [width, most] of [
    [375, 3],
    [768, 2],
  ] as const) {
    test(`in a window of ${width} pixels the names of ${path.replace(/[0-9a-f-]{36}/, '…')} take ${most} lines`, async () => {
      const page = await openWindow(world, alice, path, { width })
      const lines = await linesOf(page.locator(name))
      assert.ok(lines.length > 0)
      assert.ok(Math.max(...lines) <= most, lines.join(' '))
      await closeWindow(page)
    })
  }
}

for (const width of [320, 375, 640]) {
  test(`the menus of a check open inside a window of ${width} pixels`, async () => {
    const page = await openWindow(world, alice, `/checks/${failed}/details/`, { width })
    for (const label of ['Snooze', 'More']) {
      await page.locator('#actions').getByText(label, { exact: true }).click()
      const { left, right } = await page
        .locator('#actions details[open] .menu-items')
        .evaluate(items => items.getBoundingClientRect())
      assert.ok(left >= 0 && right <= width, `${label}: ${left} to ${right}`)
      await page.keyboard.press('Escape')
    }
    await closeWindow(page)
  })
}

test('on a phone a document leads to the list of all documents', async () => {
  const page = await openWindow(world, null, '/docs/pinging/', { width: 375 })
  await page.getByRole('link', { name: 'Search and all documents' }).click()
  const top = await page.locator('.docs-search').evaluate(form => form.getBoundingClientRect().top)
  assert.ok(top >= 0 && top < 200, `${top}`)
  await closeWindow(page)
})

test('the links of silences to their forms are below each other', async () => {
  const times = { kind: 'once', from: null, to: clock.now() + 3_600_000 } as const
  const later = { kind: 'cron', schedule: '0 2 * * *', tz: 'UTC', durationSeconds: 3600, from: null } as const
  for (const one of [times, later]) {
    await store.silences.create(project.id, {
      mode: 'hold',
      scope: { project: true },
      channels: null,
      times: one,
      reason: 'Maintenance',
      createdBy: alice.email,
      now: clock.now(),
    })
  }
  const page = await openWindow(world, alice, `/projects/${project.uuid}/silences/`)
  const lefts = await page
    .locator('.silence-actions a')
    .evaluateAll(links => links.map(link => Math.round(link.getBoundingClientRect().left)))
  assert.equal(lefts.length, 2)
  assert.equal(lefts[0], lefts[1])
  await closeWindow(page)
})

/** The texts within these elements that stand on more than one line; what may break is in texts of its own. */
function brokenTexts(elements: Locator): Promise<(string | null)[]> {
  return elements.evaluateAll(all =>
    all
      .flatMap(element => [...element.childNodes])
      .filter(part => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      })
      .map(part => part.textContent),
  )
}

for (const width of [375, 1280]) {
  test(`names of fields break only after an underscore in a window of ${width} pixels`, async () => {
    const page = await openWindow(world, null, '/docs/integrations/webhook/', { width })
    const broken = await brokenTexts(page.locator('.doc td:first-child > code'))
    assert.deepEqual(broken, [])
    await closeWindow(page)
  })
}

for (const width of [320, 375, 1280]) {
  test(`the first command of an empty project can be read whole in a window of ${width} pixels`, async () => {
    const empty = await world.projectOf(alice, 'Empty')
    const page = await openWindow(world, alice, `/projects/${empty.uuid}/checks/`, { width })
    const code = page.locator('.empty .copy-line code')
    const [needed, given, mask] = await code.evaluate(one => [
      one.scrollWidth,
      one.clientWidth,
      getComputedStyle(one).maskImage,
    ])
    assert.ok(Number(needed) <= Number(given), `${needed} in ${given}`)
    assert.equal(mask, 'none')
    await closeWindow(page)
  })
}

for (const path of ['integrations', 'policies']) {
  test(`on the empty page of ${path} one line is below the tabs`, async () => {
    const own = await world.projectOf(alice, 'Nothing yet')
    const page = await openWindow(world, alice, `/projects/${own.uuid}/${path}/`)
    const width = await page.locator('.empty').evaluate(empty => getComputedStyle(empty).borderTopWidth)
    assert.equal(width, '0px')
    await closeWindow(page)
  })
}

for (const path of ['integrations', 'badges']) {
  test(`on the page of ${path} one line is between the tabs and the table`, async () => {
    const own = await world.projectOf(alice, 'One line')
    await world.addCheck('Nightly', own.id)
    const made = { projectId: own.id, name: 'Chat', kind: 'webhook', settings: {}, members: [] }
    await store.channels.create({ ...made, now: clock.now() })
    const page = await openWindow(world, alice, `/projects/${own.uuid}/${path}/`)
    const border = async (selector: string, side: 'Top' | 'Bottom') =>
      await page
        .locator(selector)
        .first()
        .evaluate((one, side) => getComputedStyle(one)[`border${side}Width`], side)
    assert.equal(await border('.tabs', 'Bottom'), '1px')
    assert.equal(await border('.rows', 'Top'), '0px')
    await closeWindow(page)
  })
}

test('on a phone the actions of a check are on one line', async () => {
  const page = await openWindow(world, alice, `/checks/${failed}/details/`, { width: 375 })
  const middles = await page.locator('.check-top .actions > *').evaluateAll(actions =>
    actions.map(action => {
      const { top, bottom } = action.getBoundingClientRect()
      return Math.round((top + bottom) / 2)
    }),
  )
  assert.equal(new Set(middles).size, 1, middles.join(' '))
  await closeWindow(page)
})

for (const width of [375, 1280]) {
  test(`the access that others have to projects breaks at no letter in a window of ${width} pixels`, async () => {
    await store.projects.putMember({
      projectId: project.id,
      userId: world.mike.id,
      role: 'manager',
      now: clock.now(),
    })
    const page = await openWindow(world, alice, '/accounts/review/', { width })
    const broken = await brokenTexts(page.locator('.address'))
    assert.deepEqual(broken, [])
    assert.ok((await page.locator('.address').filter({ hasText: 'mike@example.org' }).count()) > 0)
    await closeWindow(page)
  })
}

test('on a desktop a long name in the log takes one line', async () => {
  const own = await world.projectOf(alice, 'Archive')
  const uuid = await world.addCheck(
    'Verification of last month’s invoices of all subsidiaries abroad',
    own.id,
  )
  await pingCheck(world, uuid)
  const page = await openWindow(world, alice, `/projects/${own.uuid}/log/?kind=success`)
  assert.deepEqual(await linesOf(page.locator('.log-check .name')), [1])
  await closeWindow(page)
})

test('in the list of integrations an error has as much room as a name', async () => {
  const own = await world.projectOf(alice, 'Receivers')
  const settings = { url_down: 'http://127.0.0.1:1/a/receiver/that/does/not/answer' }
  const asked = { projectId: own.id, name: 'Chat', kind: 'webhook', settings, members: [], now: clock.now() }
  const { uuid } = await store.channels.create(asked)
  await alice.post(`/integrations/${uuid}/test/`)
  const page = await openWindow(world, alice, `/projects/${own.uuid}/integrations/`)
  const [name, state] = await page
    .locator('.rows td')
    .evaluateAll(cells => [1, 3].map(place => cells[place]!.getBoundingClientRect().width))
  assert.ok(state! >= name! * 0.9, `${state} beside ${name}`)
  await closeWindow(page)
})

test('on a phone the row of pages shows the current one', async () => {
  const page = await openWindow(world, alice, `/projects/${project.uuid}/settings/`)
  await page.setViewportSize({ width: 375, height: 640 })
  await page.reload()
  const right = await page
    .locator('.project-nav [aria-current]')
    .evaluate(current => current.getBoundingClientRect().right)
  assert.ok(right <= 375, `ends at ${right}`)
  await closeWindow(page)
})

test('on a phone a row of the log of a check has no empty second line', async () => {
  const own = await world.projectOf(alice, 'Nights')
  const uuid = await world.addCheck('Night', own.id)
  await pingCheck(world, uuid, 'start')
  clock.advance(60)
  await pingCheck(world, uuid)
  const page = await openWindow(world, alice, `/checks/${uuid}/log/`, { width: 375 })
  const heightOf = async (text: string) =>
    (await page.locator('.event-link', { hasText: text }).boundingBox())!.height
  assert.deepEqual([await heightOf('Started'), await heightOf('Came up'), await heightOf('OK')], [44, 44, 56])
  await closeWindow(page)
})
