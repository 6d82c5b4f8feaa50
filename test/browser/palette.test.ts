/** The search of the whole site as a dialog, and the keys of every page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow, type Window } from '../_support/browser/window.js'
import { eventually } from '../_support/eventually.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, alice, project } = world
const shop = await world.addCheck('Backup of the shop')
const mail = await world.addCheck('Backup of the mail')
await world.addCheck('Invoices')
const list = `/projects/${project.uuid}/checks/`

const dialog = (page: Window) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Window) => dialog(page).getByRole('combobox')
const marked = (page: Window) => dialog(page).getByRole('option', { selected: true })
const isSilenced = async (uuid: string) =>
  (await store.silences.list(project.id, clock.now())).some(one => JSON.stringify(one).includes(uuid))

test('Ctrl K searches while one types; arrows and Enter open what is found', async () => {
  const page = await openWindow(world, alice, list)
  await page.getByRole('link', { name: 'Log' }).focus()
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await page.keyboard.type('bakcup')
  await dialog(page).getByRole('option', { name: 'Backup of the mail' }).waitFor()
  assert.match((await dialog(page).getByRole('status').textContent())!, /^\d+ results$/)
  assert.match((await marked(page).textContent())!, /Backup of the shop/)
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('ArrowDown')
  assert.match((await marked(page).textContent())!, /Backup of the mail/)
  assert.equal(await field(page).getAttribute('aria-activedescendant'), await marked(page).getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/checks/${mail}/details/`)
  await page.keyboard.press('/')
  await eventually(async () => /Actions for Backup of the mail/.test((await dialog(page).textContent())!))
  await closeWindow(page)
})

test('Esc closes the search and gives the focus back', async () => {
  const page = await openWindow(world, alice, list)
  const log = page.getByRole('link', { name: 'Log' })
  await log.focus()
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await page.keyboard.press('Escape')
  // In a search field with a text, the first Esc may only empty it.
  await dialog(page).waitFor({ state: 'hidden' })
  assert.equal(await log.evaluate(element => element === document.activeElement), true)
  await closeWindow(page)
})

test('Enter right after typing waits for the results of what was typed', async () => {
  const page = await openWindow(world, alice, list)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('invoices')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/details/')
  assert.match(await page.title(), /Invoices/)
  await closeWindow(page)
})

test('s, 1 and Enter snooze the check with the mark for an hour, and the list stays', async () => {
  const page = await openWindow(world, alice, `${list}?sort=name`)
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await field(page).waitFor()
  await page.keyboard.type('1')
  await eventually(async () => (await dialog(page).getByRole('option').count()) === 1)
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Snoozed until').waitFor()
  assert.equal(await isSilenced(mail), true)
  assert.equal(await isSilenced(shop), false)
  assert.equal(new URL(page.url()).pathname, list)
  await closeWindow(page)
})

test('Tab shows the actions on the marked check, one of which pauses it on any page', async () => {
  const page = await openWindow(world, alice, '/docs/pinging/')
  await page.getByRole('link', { name: 'Search' }).click()
  await field(page).fill('shop')
  await eventually(async () => /Backup of the shop/.test((await marked(page).textContent()) ?? ''))
  await page.keyboard.press('Tab')
  await page.keyboard.type('pause')
  await eventually(async () => /^Pause/.test((await marked(page).textContent()) ?? ''))
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Paused Backup of the shop.').waitFor()
  await closeWindow(page)
})

test('the page of a check has keys, and ? shows them', async () => {
  const page = await openWindow(world, alice, `/checks/${mail}/details/`)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('pause or resume it').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await page.keyboard.press('p')
  await page.getByRole('status').getByText('Paused Backup of the mail.').waitFor()
  await page.keyboard.press('e')
  await page.waitForURL('**/edit/')
  await closeWindow(page)
})

test('the second link of the list skips to its rows', async () => {
  const page = await openWindow(world, alice, list)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Skip to the list')
  await page.keyboard.press('Enter')
  await eventually(() => page.evaluate(() => document.activeElement?.id === 'list'))
  await closeWindow(page)
})

test('after signing out nothing of what was used is left in the browser', async () => {
  const page = await openWindow(world, await world.person('dora'), '/')
  await page.evaluate(() => localStorage.setItem('punctual.recent', '["/checks/x/details/"]'))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>sign out')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/accounts/login/**')
  assert.equal(await page.evaluate(() => localStorage.getItem('punctual.recent')), null)
  await closeWindow(page)
})

test('what is listed is marked as out of date until the answer is there', async () => {
  const page = await openWindow(world, alice, list)
  await page.keyboard.press('Control+k')
  await dialog(page).getByRole('option').first().waitFor()
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/search/options/**', async route => {
    await answered
    await route.continue()
  })
  const isBusy = () => page.locator('#palette-list').getAttribute('aria-busy')
  await page.keyboard.type('shop')
  assert.equal(await isBusy(), 'true')
  answer()
  await eventually(async () => (await isBusy()) === null)
  await page.unrouteAll()
  await closeWindow(page)
})
