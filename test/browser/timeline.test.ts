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

test('on phones the times of the axis are shown beside each other, within the page', async () => {
  const page = await openWindow(world, world.alice, path)
  for (const range of ['today', 'night', 'week']) {
    for (const width of [320, 375, 640]) {
      await page.setViewportSize({ width, height: 740 })
      await page.goto(`${world.root}${path}?range=${range}`)
      const boxes = await page
        .locator('.lane-axis text:visible')
        .evaluateAll(texts =>
          texts.map(text => text.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
        )
      assert.ok(boxes.length >= 3, `${range} at ${width} px has ${boxes.length} times`)
      for (const [index, { left, right }] of boxes.entries()) {
        assert.ok(left >= 0 && right <= width, `${range} at ${width} px: ${left} to ${right}`)
        assert.ok(
          index === 0 || left > boxes[index - 1]!.right,
          `${range} at ${width} px: time ${index} touches`,
        )
      }
    }
  }
  await closeWindow(page)
})

test('in the list of what went wrong, the names stand below each other', async () => {
  const own = await world.projectOf(world.alice, 'Failing')
  for (const [name, end] of [
    ['First', 'fail'],
    ['Second', '3'],
  ]) {
    await world.send('POST', `/ping/${await world.addCheck(name!, own.id)}/${end}`)
  }
  const page = await openWindow(world, world.alice, `/projects/${own.uuid}/timeline/?range=today&view=list`)
  const lefts = await page
    .locator('.lane-events .name')
    .evaluateAll(names => names.map(name => name.getBoundingClientRect().left))
  assert.equal(lefts.length, 2)
  assert.equal(lefts[0], lefts[1])
  await closeWindow(page)
})
