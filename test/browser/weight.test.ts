/** What the checks list of a hundred checks costs to load, and that pages work without script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProfile } from '../_support/browser/browser.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, project, root } = world
const cookies = [...alice.cookies].map(([name, value]) => ({ name, value, url: root }))

test('the list of 100 checks transfers less than 100 kB, scripts less than 40 kB', async () => {
  for (let n = 0; n < 100; n++) {
    const uuid = await world.addCheck(`Nightly job number ${n}`)
    await fetch(`${root}/ping/${uuid}/start`)
    await fetch(`${root}/ping/${uuid}`)
  }
  const profile = await newProfile()
  await profile.addCookies(cookies)
  const page = await profile.newPage()
  let total = 0
  let scripts = 0
  page.on('requestfinished', async request => {
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    const size = responseBodySize + responseHeadersSize
    total += size
    if (request.resourceType() === 'script') scripts += size
  })
  await page.goto(`${root}/projects/${project.uuid}/checks/`, { waitUntil: 'load' })
  await page.waitForTimeout(300)
  assert.equal(await page.getByText('Nightly job number 99').first().isVisible(), true)
  assert.ok(total > 0 && total < 100_000, `${total} bytes`)
  assert.ok(scripts < 40_000, `${scripts} bytes of scripts`)
  await profile.close()
})

test('without script, an integration is added and a check’s badge found', async () => {
  const profile = await newProfile({ script: false })
  await profile.addCookies(cookies)
  const page = await profile.newPage()
  await page.goto(`${root}/projects/${project.uuid}/integrations/`)
  await page.getByRole('link', { name: /^Webhook/ }).click()
  await page.locator('#url_down').fill(`${root}/accounts/login/`)
  await page.getByLabel('Name', { exact: true }).fill('Chat')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  assert.match((await page.getByRole('status').textContent())!, /The test was delivered/)
  await page.getByRole('link', { name: 'Badges' }).click()
  await page.getByText('Markdown, HTML, JSON').first().click()
  assert.match((await page.locator('code').first().textContent())!, /^!\[All checks\]/)
  assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0)
  await profile.close()
})
