import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProfile, troubles } from '../_support/browser/browser.js'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()

test('an address where nothing is answers 404 with a page that loads in a browser', async () => {
  const profile = await newProfile()
  const page = await profile.newPage()
  const found = troubles(page)
  const answer = await page.goto(`${world.root}/nothing/here/`)
  assert.equal(answer?.status(), 404)
  assert.equal(await page.locator('h1').textContent(), 'Not found')
  assert.equal(await page.title(), 'Not found · Punctual')
  const height = await page.locator('.masthead-row').evaluate(row => row.getBoundingClientRect().height)
  assert.ok(height >= 48, 'the stylesheet was loaded')
  assert.deepEqual(
    found.filter(text => !text.includes('404')),
    [],
  )
})
