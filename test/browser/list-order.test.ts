/** A new failure rises in the list, but never under a pointer or the focus. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow, type Window } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, store } = world

async function ownProject(name: string, count: number) {
  const project = await world.projectOf(alice, name)
  const uuids = []
  for (let i = 0; i < count; i++) {
    const uuid = await world.addCheck(`Job ${i}`, project.id)
    await world.send('GET', `/ping/${uuid}`)
    uuids.push(uuid)
  }
  return { id: project.id, path: `/projects/${project.uuid}/checks/`, uuids }
}

const fail = async (uuid: string) => await world.send('GET', `/ping/${uuid}/fail`)
const moved = (page: Window, text: string) => page.getByRole('status').getByText(text, { exact: true })
const names = (page: Window) => page.locator('tr.check a.name').allTextContents()

test('a new failure rises to the top, with a mark', async () => {
  const { path, uuids } = await ownProject('Rising', 4)
  const page = await openWindow(world, alice, path)
  await page.mouse.move(1, 1)
  await page.getByRole('checkbox', { name: 'Select Job 1' }).check()
  await page.mouse.move(1, 1)
  await page.getByRole('heading', { level: 1 }).click()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await fail(uuids[3]!)
  await moved(page, '1 check moved').waitFor()
  assert.deepEqual(await names(page), ['Job 3', 'Job 0', 'Job 1', 'Job 2'])
  assert.equal(await page.getByRole('checkbox', { name: 'Select Job 1' }).isChecked(), true)
  await world.send('GET', `/ping/${uuids[3]}`)
  await page.locator('tr.is-down').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.querySelector('tr.check a.name')!.textContent === 'Job 0')
  await closeWindow(page)
})

test('under the pointer and the focus the order stays until it is asked for', async () => {
  const { path, uuids } = await ownProject('In use', 4)
  const page = await openWindow(world, alice, path)
  await page.locator('tr.check').nth(1).hover()
  await fail(uuids[3]!)
  await moved(page, '1 check moved: show').waitFor()
  assert.deepEqual(await names(page), ['Job 0', 'Job 1', 'Job 2', 'Job 3'])
  assert.deepEqual(await findViolations(page, ['color-contrast', 'target-size']), [])
  await page.mouse.move(1, 1)
  await moved(page, '1 check moved').waitFor()
  assert.deepEqual(await names(page), ['Job 3', 'Job 0', 'Job 1', 'Job 2'])

  await page.locator('tr.check a.name').nth(2).focus()
  await fail(uuids[2]!)
  await page.getByRole('button', { name: '1 check moved: show' }).focus()
  await page.keyboard.press('Enter')
  await moved(page, '1 check moved').waitFor()
  assert.equal((await names(page)).indexOf('Job 2') < 2, true)
  assert.equal(await page.evaluate(() => document.activeElement!.matches('a.name')), true)
  await closeWindow(page)
})

test('a page that was hidden comes back in the order of now', async () => {
  const { path, uuids } = await ownProject('Hidden', 3)
  const page = await openWindow(world, alice, path)
  await page.mouse.move(1, 1)
  const hide = (hidden: boolean) =>
    page.evaluate(value => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await hide(true)
  await fail(uuids[2]!)
  await hide(false)
  await moved(page, '1 check moved').waitFor()
  assert.deepEqual(await names(page), ['Job 2', 'Job 0', 'Job 1'])
  await closeWindow(page)
})

test('in groups a failure rises with its group, and every row stays in its own', async () => {
  const { id, path, uuids } = await ownProject('Groups', 3)
  const tag = async (checks: string[], add: string) =>
    await store.checks.tag(id, checks, { add: [add], remove: [], now: 1 })
  await tag(uuids.slice(0, 1), 'aa')
  await tag(uuids.slice(1), 'bb')
  const page = await openWindow(world, alice, `${path}?group=tag`)
  await page.mouse.move(1, 1)
  const lines = () => page.locator('tr.group .fold, tr.check a.name').allTextContents()
  assert.deepEqual(await lines(), ['aa', 'Job 0', 'bb', 'Job 1', 'Job 2'])
  await fail(uuids[2]!)
  await page.waitForFunction(() => document.querySelector('tr.group .fold')!.textContent === 'bb')
  assert.deepEqual(await lines(), ['bb', 'Job 2', 'Job 1', 'aa', 'Job 0'])
  await closeWindow(page)
})
