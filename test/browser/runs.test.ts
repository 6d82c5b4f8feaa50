/** The runs of a check on its page in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()

async function pinged(name: string): Promise<string> {
  const uuid = await world.addCheck(name)
  for (const suffix of ['/start', '/3']) {
    await world.send('POST', `/ping/${uuid}${suffix}`, { body: suffix === '/3' ? 'disk full' : '' })
  }
  return uuid
}

test('a run opens to show its pings, without script too', async () => {
  const uuid = await pinged('Plain')
  const page = await openWindow(world, world.alice, `/checks/${uuid}/details/`, { script: false })
  const ping = page.getByRole('link', { name: /Exit status 3.*#2/ })
  assert.equal(await ping.isVisible(), false)
  await page.locator('.run > summary').click()
  await ping.click()
  assert.match(page.url(), /\/pings\/2\/$/)
  await closeWindow(page)
})

test('new runs appear by themselves, and wait while one is open', async () => {
  const uuid = await pinged('Watched')
  const page = await openWindow(world, world.alice, `/checks/${uuid}/details/`)
  const rows = page.locator('#run-list > li:not(.day-head)')
  await page.locator('.run > summary').click()
  await world.send('POST', `/ping/${uuid}`, { body: 'fine again' })
  await page.locator('#state .status-up').waitFor()
  assert.equal(await rows.count(), 1)
  await page.locator('.run > summary').click()
  await page.locator('#runs').getByRole('link', { name: 'Log' }).focus()
  await page.locator('#run-list .run-words').getByText('fine again').waitFor()
  assert.equal(await rows.count(), 2)
  await closeWindow(page)
})
