/** The log of a check in a real browser: equal failures that are folded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const uuid = await world.addCheck('Again')
for (let n = 0; n < 8; n++) {
  await world.send('POST', `/ping/${uuid}/fail`, { body: 'disk full' })
  world.clock.advance(60)
}

test('a fold opens without script, and by a link to a ping inside', async () => {
  for (const script of [true, false]) {
    const page = await openWindow(world, world.alice, `/checks/${uuid}/log/`, { script })
    const inside = page.locator('.equal-failures .event').first()
    assert.equal(await inside.isVisible(), false)
    await page.getByText(/7 equal failures/).click()
    assert.equal(await inside.isVisible(), true)
    assert.deepEqual(script ? await findViolations(page) : [], [])
    await page.goto(`${world.root}/checks/${uuid}/log/?show=fail#ping-5`)
    await page.locator('#ping-5').waitFor({ state: 'visible' })
    await closeWindow(page)
  }
})
