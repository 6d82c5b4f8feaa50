/** The keys that go to pages, and how keys are turned off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow, type Window } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, project, root, store, clock } = world
const check = await world.addCheck('Backup')
const at = `/projects/${project.uuid}/`
const help = (page: Window) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

async function press(page: Window, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

test('g and a letter go to the pages of a project, as the help says', async () => {
  const page = await openWindow(world, alice, `/checks/${check}/details/`)
  await press(page, '?')
  const entries = (await help(page).locator('dt').allInnerTexts()).map(text => text.trim())
  assert.deepEqual(await findViolations(page), [])
  const pages = {
    ...{ c: `${at}checks/`, i: `${at}incidents/`, t: `${at}timeline/`, s: `${at}silences/` },
    ...{ n: `${at}integrations/`, l: `${at}log/`, b: `${at}badges/`, e: `${at}settings/` },
    ...{ p: '/projects/', d: '/docs/pinging/', a: '/accounts/profile/' },
  }
  assert.deepEqual(
    entries.filter(key => key.startsWith('g ')),
    Object.keys(pages).map(key => `g ${key}`),
  )
  for (const [key, path] of Object.entries(pages)) {
    await page.goto(`${root}/checks/${check}/details/`)
    await press(page, 'g', key)
    await page.waitForURL(root + path)
  }
  const { status } = (await store.checks.facts(project.id, check, clock.now())).state
  assert.equal(status, 'new', 'g p did not pause the check')
  await closeWindow(page)
})

test('on pages about all projects, g and a letter go to those', async () => {
  const page = await openWindow(world, alice, '/docs/pinging/')
  for (const [key, path] of Object.entries({
    c: '/checks/',
    i: '/incidents/',
    t: '/timeline/',
    p: '/projects/',
  })) {
    await press(page, 'g', key)
    await page.waitForURL(root + path)
  }
  await closeWindow(page)
})

test('g goes nowhere while one types, with Ctrl, or when the second key comes late', async () => {
  const page = await openWindow(world, alice, `${at}checks/`)
  await page.clock.install()
  // What is searched for stands in the address too, for a moment after the field is cleared.
  const path = () => new URL(page.url()).pathname
  const here = path()
  const field = page.getByLabel('Search checks')
  await field.focus()
  await press(page, 'g', 'l')
  assert.equal(await field.inputValue(), 'gl')
  await field.fill('')
  await field.blur()
  await press(page, 'Control+g', 'l', 'g', 'Control+l', 'g', 'y', 'l', 'g')
  await page.clock.fastForward(2_100)
  await press(page, 'l')
  await page.getByRole('link', { name: 'Log' }).waitFor()
  assert.equal(path(), here)
  await press(page, 'g', 'l')
  await page.waitForURL(`${root}${at}log/`)
  await closeWindow(page)
})

test('keys are turned off in a browser, and on again from the menu of the account', async () => {
  const page = await openWindow(world, alice, `${at}checks/`)
  await press(page, '?', 'Space')
  assert.equal(await help(page).getByLabel('Use these shortcuts in this browser').isChecked(), true)
  await help(page).getByLabel('Use these shortcuts in this browser').uncheck()
  await press(page, 'Escape')
  await page.reload()
  const here = page.url()
  await press(page, 'j', 'x', '?', 'n', 'g', 'l')
  assert.equal(await page.locator('tr.current').count(), 0)
  assert.equal(await help(page).isVisible(), false)
  assert.equal(page.url(), here)
  await press(page, 'Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('backup')
  assert.equal(await page.getByRole('combobox').inputValue(), 'backup', 'fields take letters')
  await press(page, 'Escape')
  await page.locator('.account-name').click()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await help(page).getByLabel('Use these shortcuts in this browser').check()
  await press(page, 'Escape', 'g', 'l')
  await page.waitForURL(`${root}${at}log/`)
  await closeWindow(page)
})

test('without a script no page offers keys', async () => {
  const page = await openWindow(world, alice, `${at}checks/`, { script: false })
  await page.locator('.account-name').click()
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Keyboard shortcuts' }).count(), 0)
  await closeWindow(page)
})
