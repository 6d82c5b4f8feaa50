/** Editing many checks beside the list: with pointer and keyboard, with and without a script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { PHONE } from '../_support/browser/browser.js'
import { closeWindow, openWindow, type Window } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, alice } = world

async function ownProject(name: string, count: number) {
  const project = await world.projectOf(alice, name)
  const uuids: string[] = []
  for (let i = 0; i < count; i++) uuids.push(await world.addCheck(`Job ${i}`, project.id))
  await store.channels.create({
    projectId: project.id,
    name: 'Pager',
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
  return { ...project, uuids, path: `/projects/${project.uuid}/checks/` }
}

const factsOf = async (projectId: number, uuid: string) =>
  (await store.checks.facts(projectId, uuid, clock.now())).check
const drawer = (page: Window) => page.getByRole('dialog', { name: /^Edit \d+ checks?$/ })
const message = (page: Window, text: string) => page.locator('#flash').getByText(text)
const count = async (page: Window) => await drawer(page).locator('.edit-rows tbody tr').count()

test('ten checks get a schedule in four steps beside the list, and that is undone', async () => {
  const { id, path, uuids } = await ownProject('Ten', 10)
  const page = await openWindow(world, alice, path)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  await drawer(page).getByRole('checkbox', { name: 'Schedule' }).check()
  // What was clicked can be typed at once.
  await drawer(page).getByLabel('Period').and(page.locator(':focus')).waitFor()
  await drawer(page).getByText('Fill in what you have chosen.').waitFor()
  await page.keyboard.type('15 min')
  const change = drawer(page).getByRole('button', { name: 'Change 10 checks' })
  await change.waitFor()
  assert.equal(await count(page), 10)
  assert.deepEqual(await findViolations(page), [])
  assert.equal((await factsOf(id, uuids[0]!)).periodSeconds, 86_400)
  await change.click()
  await message(page, 'Changed 10 checks.').waitFor()
  assert.equal(await drawer(page).count(), 0)
  assert.equal(await page.getByRole('checkbox', { name: 'Select Job 3' }).isChecked(), true)
  await page.locator(`#c-${uuids[3]}`).getByText('Every 15 minutes').waitFor()
  await page.keyboard.press('z')
  await message(page, 'Undone.').waitFor()
  assert.equal((await factsOf(id, uuids[9]!)).periodSeconds, 86_400)
  await closeWindow(page)
})

test('the keyboard chooses, edits and leaves, and the focus comes back', async () => {
  const { id, path, uuids } = await ownProject('Keys', 3)
  const page = await openWindow(world, alice, path)
  for (const key of ['j', 'x', 'j', 'x', 'b']) await page.keyboard.press(key)
  await drawer(page).waitFor()
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'detached' })
  await page.keyboard.press('b')
  await drawer(page).getByRole('checkbox', { name: 'Schedule' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type('5 min')
  const change = drawer(page).getByRole('button', { name: 'Change 2 checks' })
  await change.waitFor()
  await change.focus()
  await page.keyboard.press('Enter')
  await message(page, 'Changed 2 checks.').waitFor()
  const graces = await Promise.all(uuids.map(async uuid => (await factsOf(id, uuid)).graceSeconds))
  assert.deepEqual(graces.sort(), [300, 300, 3_600])
  await closeWindow(page)
})

test('an error stands at its field, and a change by somebody else is shown in the drawer', async () => {
  const { id, path, uuids } = await ownProject('Errors', 2)
  const page = await openWindow(world, alice, path)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  await drawer(page).getByRole('checkbox', { name: 'Schedule' }).check()
  await drawer(page).getByRole('radio', { name: 'Cron' }).check()
  const cron = drawer(page).getByLabel('Cron expression')
  await cron.fill('61 3 * * *')
  await drawer(page).locator('.field.has-error').getByText(/61/).waitFor()
  assert.equal(await cron.getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await findViolations(page), [])
  await cron.fill('1 3 * * *')
  const change = drawer(page).getByRole('button', { name: 'Change 2 checks' })
  await change.waitFor()
  assert.equal(await cron.getAttribute('aria-invalid'), null)
  await store.checks.update(id, uuids[0]!, { changes: { graceSeconds: 600 }, now: clock.now() })
  await change.click()
  await drawer(page).getByText('Nothing was changed: checks have changed since you looked.').waitFor()
  await drawer(page).getByText('changed by others', { exact: true }).waitFor()
  await change.click()
  await message(page, 'Changed 2 checks.').waitFor()
  // The browser notes the refusal.
  assert.match(page.complaints.splice(0).join(), /^Failed to load resource: .* 409 \(Conflict\)$/)
  await closeWindow(page)
})

test('the page of the form has no barriers, and previews what is typed', async () => {
  const { path } = await ownProject('Page', 3)
  const page = await openWindow(world, alice, path)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.evaluate(() => {
    const form = document.getElementById('checks') as HTMLFormElement
    form.action = form.querySelector('[name=open]')!.getAttribute('formaction')!
    form.submit()
  })
  await page.getByRole('heading', { name: 'Edit 3 checks' }).waitFor()
  for (const part of await page.locator('input[name=part]').all()) await part.check()
  await page.locator('#grace').fill('5')
  await page.locator('.field.has-error').getByText('Add a unit').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await closeWindow(page)
})

test('on a phone the drawer fills the window, without scrolling sideways', async () => {
  const { path } = await ownProject('Phone', 3)
  const page = await openWindow(world, alice, path, PHONE)
  await page.getByLabel('Select', { exact: true }).check()
  await page.getByRole('checkbox', { name: 'Select Job 1' }).check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  await drawer(page).getByRole('checkbox', { name: 'Tags' }).check()
  await drawer(page).getByLabel('Tags').and(page.getByRole('combobox')).fill('prod')
  await drawer(page).getByRole('button', { name: 'Change 1 check' }).waitFor()
  const { inner, outer } = await drawer(page).evaluate(element => ({
    inner: element.scrollWidth,
    outer: element.clientWidth,
  }))
  assert.ok(inner <= outer && outer <= PHONE.width, `${inner} in ${outer}`)
  assert.deepEqual(await findViolations(page), [])
  await closeWindow(page)
})

test('without a script a page has the form and its preview, over all projects too', async () => {
  const { id, uuids } = await ownProject('Plain', 2)
  const page = await openWindow(world, alice, '/checks/?search=Plain', { script: false })
  await page.goto(`${world.root}/checks/?sort=-last_ping`)
  for (const uuid of uuids) await page.locator(`input[name=check][value="${uuid}"]`).check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByRole('heading', { name: 'Edit 2 checks' }).waitFor()
  await page.getByRole('checkbox', { name: 'Grace' }).check()
  await page.getByLabel('Grace').and(page.getByRole('textbox')).fill('5 min')
  await page.locator('.edit-end').getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Change 2 checks' }).click()
  await message(page, 'Changed 2 checks.').waitFor()
  assert.equal(new URL(page.url()).pathname, '/checks/')
  assert.equal((await factsOf(id, uuids[1]!)).graceSeconds, 300)
  await page.locator('#flash').getByRole('button', { name: 'Undo' }).click()
  await message(page, 'Undone.').waitFor()
  assert.equal((await factsOf(id, uuids[1]!)).graceSeconds, 3_600)
  await closeWindow(page)
})
