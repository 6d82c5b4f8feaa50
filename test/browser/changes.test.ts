/** The log of changes in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
await world.alice.post(`/projects/${world.project.uuid}/name/`, { name: 'Renamed' })

test('the filter stands on one line, beside the choice and not beside its label', async () => {
  const page = await openWindow(world, world.alice, `/projects/${world.project.uuid}/changes/`)
  const middles = await page
    .locator('.filter :is(select, input[type=checkbox], button)')
    .evaluateAll(parts =>
      parts.map(part => part.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
    )
  assert.equal(middles.length, 3)
  assert.ok(Math.max(...middles) - Math.min(...middles) < 4, middles.join(' '))
  await closeWindow(page)
})
