/** The list of checks at every width of a window, with names and schedules as people have them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { addRealChecks } from '../_support/worlds/real-checks.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, alice } = world
const project = await world.projectOf(alice, 'Example Ltd production')
await addRealChecks(world, project.id)
for (const [kind, name] of [
  ['webhook', 'Operations pager'],
  ['webhook', 'Backups'],
  ['email', 'anna@example.org'],
  ...['slack', 'ntfy', 'matrix', 'zulip', 'gotify', 'discord', 'telegram'].map(kind => [kind, kind]),
] as [string, string][]) {
  await store.channels.create({
    projectId: project.id,
    name,
    kind,
    settings: {},
    members: [],
    now: clock.now(),
  })
}

/** Three lines of text in a row, with what is above and below them. */
const THREE_LINES = 76

/** Windows from a small phone to a large screen, by steps of 32 pixels and where columns come and go. */
const WIDTHS = [320, 360, 375, 1366, 1440, 1920].concat(
  Array.from({ length: 31 }, (_, step) => 384 + step * 32),
)

test('the list is readable in windows of 320 to 1920 pixels, and so at any zoom', async () => {
  const page = await openWindow(world, alice, `/projects/${project.uuid}/checks/`)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const seen = await page.evaluate(() => {
      const sizes = (selector: string) =>
        [...document.querySelectorAll(selector)].map(element => element.getBoundingClientRect())
      const text = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      return {
        scroll: document.documentElement.scrollWidth,
        nameInEms: Math.min(...sizes('tr.check td.grow').map(({ width }) => width)) / text,
        row: Math.max(...sizes('tr.check').map(({ height }) => height)),
        table: Math.max(...sizes('form.checks table').map(({ right }) => right)),
      }
    })
    const at = `at ${width} pixels`
    assert.ok(seen.scroll <= width, `${at} the page is ${seen.scroll} wide`)
    assert.ok(seen.table <= width, `${at} the table reaches to ${seen.table}`)
    assert.ok(seen.nameInEms >= 10, `${at} a name has ${seen.nameInEms} em`)
    // The smallest phones break long names into a third line.
    assert.ok(seen.row <= (width < 375 ? 96 : THREE_LINES), `${at} a row is ${seen.row} high`)
  }
  await closeWindow(page)
})

test('columns leave the list by rank until it is a phone’s', async () => {
  const page = await openWindow(world, alice, `/projects/${project.uuid}/checks/`)
  const headings = async (width: number) => {
    await page.setViewportSize({ width, height: 900 })
    const shown = page.locator('.checks thead th:visible')
    return (await shown.allInnerTexts()).map(text => text.trim()).filter(text => text.length > 1)
  }
  const all = ['Name', 'Last 30 runs', 'Last ping', 'Expected', 'Schedule', 'Integrations']
  const named = (texts: string[]) => all.filter(name => texts.some(text => text.startsWith(name)))
  assert.deepEqual(named(await headings(1280)), all)
  assert.equal(await page.locator('.name-line .tags').first().isVisible(), true)
  assert.deepEqual(named(await headings(1200)), all)
  assert.equal(await page.locator('.name-line .tags').first().isVisible(), false)
  assert.deepEqual(named(await headings(1024)), all.slice(0, 5))
  assert.deepEqual(named(await headings(900)), all.slice(0, 4))
  assert.deepEqual(named(await headings(820)), ['Name', 'Last ping', 'Expected'])
  assert.deepEqual(named(await headings(700)), ['Name'])
  assert.deepEqual(await findViolations(page), [])
  await closeWindow(page)
})

test('tags do not make a name break into more lines', async () => {
  const page = await openWindow(world, alice, `/projects/${project.uuid}/checks/`)
  const heights = (display: string) =>
    page.locator('.name-line').evaluateAll((lines, display) => {
      for (const line of lines)
        line.querySelector<HTMLElement>('.tags')?.style.setProperty('display', display)
      return lines.map(line => line.querySelector('.name')!.getBoundingClientRect().height)
    }, display)
  for (const width of [1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const [withTags, without] = [await heights(''), await heights('none')]
    for (const [place, height] of withTags.entries()) {
      assert.ok(
        height <= without[place]!,
        `name ${place} at ${width} pixels: ${height} and ${without[place]}`,
      )
    }
  }
  await closeWindow(page)
})

test('a wide list has more tags beside a name', async () => {
  const own = await world.projectOf(alice, 'Tagged')
  const changes = { name: 'Dump', slug: '', tags: 'db backup prod nightly offsite critical' }
  await store.checks.create(own.id, { changes, unique: null, now: clock.now() })
  const page = await openWindow(world, alice, `/projects/${own.uuid}/checks/`)
  const shown = async (width: number) => {
    await page.setViewportSize({ width, height: 900 })
    return await page
      .locator('.name-line .tag:visible')
      .evaluateAll(tags => tags.map(tag => tag.innerHTML.replace(/<.*/s, '')))
  }
  assert.deepEqual(await shown(1280), ['db', 'backup', '+4'])
  assert.deepEqual(await shown(1920), ['db', 'backup', 'prod', 'nightly', 'offsite', '+1'])
  await closeWindow(page)
})

test('the signs of integrations are on one line, with the number of those that do not fit', async () => {
  const page = await openWindow(world, alice, `/projects/${project.uuid}/checks/`)
  const first = page.locator('.channels').first()
  for (const [width, signs, more] of [
    [1200, 4, '+6 integrations'],
    [1280, 4, '+6 integrations'],
    [1440, 4, '+6 integrations'],
    [1920, 10, null],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    assert.equal(await first.locator('button:visible').count(), signs, `${width}`)
    const link = first.locator('a:visible')
    assert.equal((await link.count()) === 0 ? null : await link.textContent(), more)
    const tops = await page
      .locator('.channels > :visible')
      .evaluateAll(all =>
        all.map(one => one.getBoundingClientRect().top - one.parentElement!.getBoundingClientRect().top),
      )
    assert.ok(Math.max(...tops) < 1, `at ${width} pixels a sign is ${Math.max(...tops)} below the first`)
  }
  const title = await first.locator('a').getAttribute('title')
  assert.deepEqual(title!.split('\n').length, 6)
  assert.match(title!, /^ntfy: o/m)
  await closeWindow(page)
})

test('strips begin at the left, under their heading', async () => {
  const page = await openWindow(world, alice, `/projects/${project.uuid}/checks/`)
  const [heading, strip, first] = await page.evaluate(() => {
    const left = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().left
    return [left('th.runs'), left('td.runs .strip'), left('td.runs .strip path')]
  })
  assert.ok(Math.abs(strip! - heading!) < 1, `${strip} under ${heading}`)
  assert.ok(first! - strip! < 4, `the first run stands ${first! - strip!} to the right`)
  await closeWindow(page)
})

test('the menu of the last row opens where it can be read', async () => {
  const page = await openWindow(world, alice, `/projects/${project.uuid}/checks/`)
  const last = page.locator('tr.check').last()
  await last.locator('summary').click()
  await last.getByRole('link', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete check' }).waitFor()
  await closeWindow(page)
})
