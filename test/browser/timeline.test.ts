/** The timeline of all checks in a real browser: enlarging by dragging, the keyboard, and a page without faults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const path = `/projects/${world.project.uuid}/timeline/`
for (const name of ['Backup', 'Import', 'Reports']) {
  const uuid = await world.addCheck(name)
  await world.send('POST', `/ping/${uuid}${name === 'Import' ? '/fail' : ''}`)
}

test('dragging over the histogram enlarges that part', async () => {
  const page = await openWindow(world, world.alice, `${path}?range=today`)
  const box = (await page.locator('.lane-histogram').boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width / 4, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, y, { steps: 5 })
  await Promise.all([page.waitForURL(/from=/), page.mouse.up()])
  const { searchParams } = new URL(page.url())
  const [from, to] = ['from', 'to'].map(name => Date.parse(searchParams.get(name)!))
  const hours = (to! - from!) / 3_600_000
  assert.ok(hours > 5.5 && hours < 6.5, `${hours} hours`)
  assert.deepEqual(await findViolations(page), [])
  await closeWindow(page)
})

test('j and k move between lanes, Enter lists the runs, Escape closes them', async () => {
  const page = await openWindow(world, world.alice, `${path}?range=today`)
  await page.keyboard.press('j')
  await page.locator('[data-lane]:focus', { hasText: 'Import' }).waitFor()
  await page.keyboard.press('j')
  await page.locator('[data-lane]:focus', { hasText: 'Backup' }).waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await page.locator('.lane-runs', { hasText: 'failed' }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await page.locator('.lane-runs').waitFor({ state: 'detached' })
  await closeWindow(page)
})
