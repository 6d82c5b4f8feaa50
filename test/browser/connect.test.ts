/** What scripts do for those who connect an integration. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DESKTOP, newProfile, troubles } from '../_support/browser/browser.js'
import { openServices } from '../_support/servers/services.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const services = await openServices(['https://api.trello.com'], {
  'GET api.trello.com/1/members/me/boards': [{ id: 'b1', name: 'Ops', lists: [{ id: 'l1', name: 'To do' }] }],
})
const operator = { TRELLO_APP_KEY: 'trello-key' }
const world = await openWebWorld({ delivery: { operator, routes: services.routes } })
const { alice, project, root, config } = world
const list = `/projects/${project.uuid}/integrations/`
const TOKEN = 'ATTA0123456789abcdef'

/** Where Trello leads back to, beginning another round. */
async function back(): Promise<string> {
  const away = new URL((await alice.get(`${list}add/trello/connect/`)).location!)
  return root + away.searchParams.get('return_url')!.slice(config.SITE_ROOT.length)
}

async function openPage(script: boolean) {
  const profile = await newProfile({ ...DESKTOP, script })
  await profile.addCookies([...alice.cookies].map(([name, value]) => ({ name, value, url: root })))
  return await profile.newPage()
}

test('the token in the fragment is passed on by itself, and stays in no address', async () => {
  const page = await openPage(true)
  const found = troubles(page)
  const addresses: string[] = []
  page.on('framenavigated', frame => addresses.push(frame.url()))
  await page.goto(`${await back()}#token=${TOKEN}`)
  await page.waitForURL(url => url.pathname === `${list}add/trello/finish/`)
  assert.ok(!addresses.slice(1).some(address => address.includes(TOKEN)))
  assert.equal(await page.getByLabel('List').locator('option').textContent(), 'To do')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { name: 'Ops, To do' }).waitFor()
  assert.deepEqual(found, [])
  await page.context().close()
})

test('without scripts the token is pasted', async () => {
  const page = await openPage(false)
  await page.goto(`${await back()}#token=${TOKEN}`)
  await page.getByLabel('Token').fill(TOKEN)
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.equal(new URL(page.url()).pathname, `${list}add/trello/finish/`)
  await page.context().close()
})

test('the services that may be added are narrowed down while one types, what waits for the operator too', async () => {
  const page = await openPage(true)
  await page.goto(`${root}${list}add/`)
  const shown = () => page.locator('.gallery li:visible strong').allInnerTexts()
  await page.getByLabel('Find a service').fill('incident spike')
  assert.deepEqual(await shown(), ['Spike'])
  await page.getByLabel('Find a service').fill('telegram')
  assert.deepEqual(await shown(), ['Telegram'])
  await page.getByLabel('Find a service').fill('nobody knows this')
  await page.getByText('No such integration').waitFor()
  await page.getByLabel('Find a service').fill('gith')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New GitHub integration' }).waitFor()
  await page.context().close()
})
