/** Searching the list of checks while typing, and folding its groups, without loading the page anew. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { eventually } from '../_support/eventually.js'
import { pingCheck } from '../_support/ping-check.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, alice } = world
const project = await world.projectOf(alice, 'Searched')
const path = `/projects/${project.uuid}/checks/`
const uuids: string[] = []
for (const [name, tags] of [
  ['Backup of the shop', 'backup shop'],
  ['Backup of the mail', 'backup'],
  ['Invoices', 'shop'],
] as const) {
  const changes = { name, tags }
  uuids.push((await store.checks.create(project.id, { changes, unique: null, now: clock.now() })).check.uuid)
}

test('the list is searched while one types, in the address, and the field keeps focus and text', async () => {
  const page = await openWindow(world, alice, `${path}?sort=name`)
  const names = page.locator('tr.check a.name')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.locator('#search').pressSequentially('mail')
  // On a slow machine an answer to fewer letters comes first, and may show the same.
  await eventually(() => new URL(page.url()).search === '?search=mail&sort=name')
  await eventually(async () => (await names.allInnerTexts()).join() === 'Backup of the mail')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'search')
  await page.keyboard.type('x')
  await page.getByText('No checks match').waitFor()
  await page.locator('#search').fill('')
  await eventually(async () => (await names.count()) === 3)
  assert.equal(new URL(page.url()).search, '?sort=name')
  assert.equal(await page.evaluate(() => 'isSamePage' in window), true)
  await page.reload()
  assert.equal(await names.count(), 3)
  await closeWindow(page)
})

test('after a search the rows that are shown still change when a ping arrives', async () => {
  const page = await openWindow(world, alice, path)
  await page.locator('#search').pressSequentially('invoices')
  await eventually(async () => (await page.locator('tr.check').count()) === 1)
  await pingCheck(world, uuids[2]!, 'fail')
  await page.locator('tr.check.is-down').waitFor()
  await closeWindow(page)
})

test('a group is folded in place, in the address, and its heading keeps the focus', async () => {
  const page = await openWindow(world, alice, `${path}?group=tag`)
  assert.equal(await page.locator('tr.check').count(), 4)
  const heading = page.locator('tr.group', { hasText: 'backup' }).getByRole('link')
  await heading.click()
  await eventually(async () => (await page.locator('tr.check').count()) === 2)
  assert.equal(new URL(page.url()).search, '?group=tag&fold=backup')
  await eventually(() => heading.evaluate(element => element === document.activeElement))
  assert.deepEqual(await findViolations(page), [])
  await heading.click()
  await eventually(async () => (await page.locator('tr.check').count()) === 4)
  await closeWindow(page)
})

test('a check in two groups is chosen once, in both of its rows', async () => {
  const page = await openWindow(world, alice, `${path}?group=tag`)
  const rows = page.locator('tr.check', { hasText: 'Backup of the shop' })
  await rows.first().getByRole('checkbox').check()
  await page.getByText('1 check selected').waitFor()
  assert.equal(await rows.nth(1).getByRole('checkbox').isChecked(), true)
  await closeWindow(page)
})
