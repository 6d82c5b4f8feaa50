/** What people do from end to end, each with what they have at hand: a keyboard, a phone, a dark room. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { addChannel } from '../../src/actions/channels/add-channel.js'
import { DESKTOP, PHONE } from '../_support/browser/browser.js'
import { closeWindow, openWindow, type Window } from '../_support/browser/window.js'
import { openWebWorld, PASSWORD } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock } = world

async function ownProject(name: string) {
  const project = await world.projectOf(world.alice, name)
  return { ...project, path: `/projects/${project.uuid}/` }
}

test('a webhook is added and tested, and what came of the test is there without a reload', async () => {
  const bodies: string[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    bodies.push(`${request.method} ${request.url} ${body}`)
    response.end('ok')
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  after(() => receiver.close())
  const { path } = await ownProject('Hooked')
  const page = await openWindow(world, world.alice, `${path}integrations/`)
  await page.getByText('No integrations yet').waitFor()
  await page.locator('.project-nav .warning-mark').waitFor()
  await page.getByRole('link', { name: /^Webhook/ }).click()
  const { port } = receiver.address() as AddressInfo
  await page.locator('#url_down').fill(`http://127.0.0.1:${port}/hook`)
  await page.getByLabel('Name', { exact: true }).fill('Pager')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { name: 'Pager' }).waitFor()
  assert.equal(await page.locator('.project-nav .warning-mark').count(), 0)

  const other = await openWindow(world, world.alice, new URL(page.url()).pathname)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('status').getByText('The test was delivered').waitFor()
  assert.equal(bodies.length, 1)
  assert.match(bodies[0]!, /^(GET|POST) \/hook/)
  await other.locator('#channel-log').getByText('delivered').waitFor()
  await closeWindow(other)
  await closeWindow(page)
})

test('a theme that somebody pins wins over the system’s, on every page', async () => {
  const reader = await world.person('nightowl')
  const background = (page: Window) =>
    page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor)
  const page = await openWindow(world, reader, '/accounts/profile/', { ...DESKTOP, theme: 'light' })
  const light = await background(page)
  await page.getByLabel('Theme').selectOption('Dark')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Saved.').waitFor()
  const dark = await background(page)
  assert.notEqual(dark, light)
  await page.goto(`${world.root}/docs/pinging/`)
  assert.equal(await background(page), dark)
  await closeWindow(page)
  const system = await openWindow(world, world.alice, '/projects/', { ...DESKTOP, theme: 'dark' })
  assert.equal(await background(system), dark, 'without a pin the system’s is followed')
  await closeWindow(system)
})

test('on a phone a check is paused from its row, and several are tagged and given to an integration', async () => {
  const { id, path } = await ownProject('Pocket')
  for (const name of ['Backup', 'Import', 'Export']) await world.addCheck(name, id)
  await addChannel(store, clock, {
    projectId: id,
    asker: null,
    by: null,
    kind: 'webhook',
    name: 'Pager',
    settings: { url_down: 'http://127.0.0.1:9/', method_down: 'POST' },
  })
  const page = await openWindow(world, world.alice, `${path}checks/`, PHONE)
  const row = page.getByRole('row', { name: /Backup/ })
  await row.locator('summary').click()
  await row.getByRole('button', { name: 'Pause' }).click()
  await page.locator('tr.is-paused').getByText('Backup').waitFor()

  await page.getByLabel('Select', { exact: true }).check()
  await page.getByLabel('Select Import').check()
  await page.getByLabel('Select Export').check()
  await page.getByText('2 checks selected:').waitFor()
  await page.locator('#bulk summary', { hasText: 'Tags' }).click()
  await page.getByLabel('Tags to add or remove').fill('files')
  await page.getByRole('button', { name: 'Add tags' }).click()
  await page.getByText('Changed the tags of 2 checks.').waitFor()
  assert.equal(await page.locator('.tag-filter').getByText('files').count(), 1)

  await page.getByLabel('Select', { exact: true }).check()
  await page.getByLabel('Select all on this page').check()
  await page.getByText('3 checks selected:').waitFor()
  await page.locator('#bulk summary', { hasText: 'Integrations' }).click()
  await page.getByRole('button', { name: 'Unassign' }).click()
  await page.getByText('Changed the integrations of 3 checks.').waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= PHONE.width, `${width} pixels wide`)
  await closeWindow(page)
})

test('somebody signs in, makes a check and opens its menu by keyboard alone', async () => {
  const { id, path } = await ownProject('Keyed')
  await world.addCheck('First', id)
  const page = await openWindow(world, null, `${path}checks/`)
  await tabTo(page, 'E-mail address')
  await page.keyboard.type(world.alice.email)
  await tabTo(page, 'Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No pings yet' }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to the content')
  await page.keyboard.press('Enter')
  await tabTo(page, 'New check')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).waitFor()
  await tabTo(page, 'Name')
  await page.keyboard.type('Made by hand')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Made by hand' }).waitFor()
  await tabTo(page, 'More')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Delete…' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await focused(page), 'More', 'the focus is where it was')
  await closeWindow(page)
})

/** What the focus is on: its label, or its words. */
async function focused(page: Window): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement
    const text = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent
    return (text ?? '').trim()
  })
}

/** Presses Tab until the focus is on what is called `name`. */
async function tabTo(page: Window, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focused(page)) === name) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`no way to ${name} by Tab`)
}
