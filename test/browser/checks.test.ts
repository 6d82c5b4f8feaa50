/** The pages of checks in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store } = world

async function ownProject(name: string) {
  const project = await world.projectOf(world.alice, name)
  return { ...project, path: `/projects/${project.uuid}/checks/` }
}

test('a check is made, turns green by itself when it is pinged, and is edited, paused and deleted', async () => {
  const { path } = await ownProject('Walk')
  const page = await openWindow(world, world.alice, path)
  await page.getByRole('link', { name: 'New check' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nightly backup')
  await page.getByRole('radio', { name: 'Cron' }).check()
  await page.getByLabel('Cron expression').fill('15 3 * * *')
  await page.getByText('Daily at 03:15').waitFor()
  await page.getByRole('button', { name: 'Create check' }).click()

  await page.getByText('Waiting for its first ping.').waitFor()
  const address = (await page.locator('.how-to-ping .copy-line code').first().textContent())!
  await world.send('POST', new URL(address).pathname, { body: 'ten tables dumped' })
  await page.locator('#state .status-up').waitFor()
  await page.locator('#run-list .run-words').getByText('ten tables dumped').waitFor()
  await world.send('POST', `${new URL(address).pathname}/fail`, { body: 'disk full' })
  await page.locator('#state').getByText('The job reported a failure').waitFor()
  assert.match(await page.title(), /^\(1\) /)
  assert.match((await page.locator('#favicon').getAttribute('href'))!, /favicon-down/)

  await page.getByRole('link', { name: 'Edit', exact: true }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Backup')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Backup' }).waitFor()
  await page.getByRole('button', { name: 'Ping now' }).click()
  await page.locator('#state .status-up').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('The next ping resumes it.').waitFor()
  await page.locator('summary', { hasText: 'More' }).click()
  await page.getByRole('link', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete check' }).click()
  await page.getByText('Create your first check with one ping').waitFor()
  await closeWindow(page)
})

test('the list is live: a row changes when its check is pinged, and the first check appears by itself', async () => {
  const { id, pingKey, path } = await ownProject('Live')
  const page = await openWindow(world, world.alice, path)
  await page.getByText('Create your first check with one ping').waitFor()
  await world.send('GET', `/ping/${pingKey}/my-job?create=1`)
  await page.locator('tr.check .status-up').waitFor()
  await world.send('GET', `/ping/${pingKey}/my-job/fail`)
  await page.locator('tr.check .status-down').waitFor()
  await page.getByText('The only check is down').waitFor()
  assert.equal((await store.checks.stateCounts(id, world.clock.now())).down, 1)
  await closeWindow(page)
})

test('the list is worked by keyboard alone', async () => {
  const { id, path } = await ownProject('Keys')
  for (const name of ['One', 'Two', 'Three']) await world.addCheck(name, id)
  const page = await openWindow(world, world.alice, path)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  assert.equal(await page.locator('tr.current a.name').textContent(), 'Three')
  await page.keyboard.press('k')
  assert.equal(await page.locator('tr.current a.name').textContent(), 'One')
  await page.keyboard.press('?')
  await page.getByText('pause or resume it').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('x')
  await page.getByText('1 check selected:').waitFor()
  await page.keyboard.press('p')
  await page.locator('tr.is-paused').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('three')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=three/)
  assert.deepEqual(await page.locator('a.name').allInnerTexts(), ['Three'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.getByRole('heading', { name: 'Edit Three' }).waitFor()
  await page.goBack()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/details\/$/)
  await page.goto(world.root + path)
  await page.keyboard.press('n')
  await page.getByRole('button', { name: 'Create check' }).waitFor()
  await closeWindow(page)
})

test('of a thousand checks the few that fit are found, without script too', async () => {
  const { id, path } = await ownProject('Thousand')
  const names = Array.from({ length: 1_000 }, (_, index) => `Job ${index}`)
  await Promise.all(names.map(name => world.addCheck(name, id)))
  const page = await openWindow(world, world.alice, path, { script: false })
  await page.getByText('1–100 of 1000 checks').waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('101–200 of 1000 checks').waitFor()
  await page.getByLabel('Search checks').fill('job 77')
  await page.getByLabel('Search checks').press('Enter')
  await page.getByText('11 of 1000 checks').waitFor()
  await page.getByLabel('Select Job 770').check()
  await page.getByRole('button', { name: 'Pause' }).first().click()
  await page.getByText('Paused 1 check.').waitFor()
  assert.equal(await page.locator('tr.is-paused a.name').textContent(), 'Job 770')
  await closeWindow(page)
})

test('the bar of the selected checks never hides the one that has the focus', async () => {
  const { path, id } = await ownProject('Many')
  for (let n = 0; n < 40; n++) await world.addCheck(`Job ${n}`, id)
  const page = await openWindow(world, world.alice, path)
  await page.getByRole('checkbox', { name: 'Select Job 0' }).check()
  const hidden = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input[name=check]')]
      .filter(box => {
        box.focus()
        const { top, bottom } = box.getBoundingClientRect()
        return top < 0 || bottom > document.querySelector('.bulk')!.getBoundingClientRect().top
      })
      .map(box => box.getAttribute('aria-label')),
  )
  assert.deepEqual(hidden, [])
  await closeWindow(page)
})
