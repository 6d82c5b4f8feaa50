/** What is done on pages says what happened, can be undone, and leaves scroll position and focus alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { PHONE } from '../_support/browser/browser.js'
import { closeWindow, openWindow, type Window } from '../_support/browser/window.js'
import { carryOut } from '../_support/carry-out.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, alice } = world

async function ownProject(name: string, ...checks: string[]) {
  const project = await world.projectOf(alice, name)
  const uuids = []
  for (const check of checks) uuids.push(await world.addCheck(check, project.id))
  return { ...project, uuids, path: `/projects/${project.uuid}/checks/` }
}

const message = (page: Window, text: string) => page.getByRole('status').getByText(text)
const undo = (page: Window) => page.getByRole('status').getByRole('button', { name: 'Undo' })
const row = (page: Window, uuid: string) => page.locator(`#c-${uuid}`)
const scrolled = (page: Window) => page.evaluate(() => Math.round(scrollY))
const focused = (page: Window) =>
  page.evaluate(
    () => document.activeElement!.getAttribute('aria-label') ?? document.activeElement!.textContent,
  )

/** Whether the message covers nothing of the bar with the actions on a selection, and both are shown. */
const isBarFree = () => {
  const [message, bar] = ['.toast', '#bulk'].map(part =>
    document.querySelector(part)!.getBoundingClientRect(),
  )
  return bar!.height > 0 && message!.top >= 0 && (message!.bottom <= bar!.top || message!.top >= bar!.bottom)
}

test('a check far down in the list is paused and that is undone, without a jump', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `Job ${i}`)
  const { path, uuids } = await ownProject('Long', ...names)
  const uuid = uuids[35]!
  await world.send('GET', `/ping/${uuid}`)
  await world.send('GET', `/ping/${uuids[39]}`)
  const page = await openWindow(world, alice, path)
  await row(page, uuids[34]!).locator('summary').scrollIntoViewIfNeeded()
  const before = await scrolled(page)
  assert.ok(before > 300)
  await row(page, uuids[34]!).locator('summary').click()
  await row(page, uuids[34]!).getByRole('button', { name: 'Pause' }).click()
  await message(page, 'Paused Job 34.').waitFor()
  await page.locator(`#c-${uuids[34]}.is-paused`).waitFor()
  assert.equal(await scrolled(page), before)
  assert.equal(await focused(page), 'Actions for Job 34')
  assert.deepEqual(await findViolations(page, ['color-contrast', 'target-size']), [])
  await undo(page).click()
  await message(page, 'Undone.').waitFor()
  await page.locator(`#c-${uuids[34]}.is-new`).waitFor()
  assert.equal(await scrolled(page), before)
  assert.equal(await focused(page), 'Actions for Job 34')
  await closeWindow(page)
})

test('an integration is switched by keyboard, and z undoes it', async () => {
  const { id, path, uuids } = await ownProject('Switches', 'Nightly')
  await store.channels.create({
    projectId: id,
    name: 'Pager',
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
  for (const at of [path, `/checks/${uuids[0]}/details/`]) {
    const page = await openWindow(world, alice, at)
    const pager = page.getByRole('button', { name: /^Pager/ })
    assert.equal(await pager.getAttribute('aria-pressed'), 'true')
    await pager.focus()
    await page.keyboard.press('Enter')
    await message(page, 'Pager: off for Nightly.').waitFor()
    await page.locator('button[aria-pressed=false]').waitFor()
    assert.match((await focused(page))!, /Pager/)
    await page.keyboard.press('z')
    await message(page, 'Undone.').waitFor()
    await page.locator('button[aria-pressed=true]').waitFor()
    assert.match((await focused(page))!, /Pager/)
    await closeWindow(page)
  }
})

test('the page of a check is paused and resumed in place', async () => {
  const { uuids } = await ownProject('One', 'Backup')
  await world.send('GET', `/ping/${uuids[0]}`)
  const page = await openWindow(world, alice, `/checks/${uuids[0]}/details/`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await message(page, 'Paused Backup.').waitFor()
  await page.getByText('The next ping resumes it.').waitFor()
  assert.equal(await focused(page), 'Resume')
  await undo(page).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.locator('#state .status-up').waitFor()
  assert.equal(await focused(page), 'Pause')
  await closeWindow(page)
})

test('tags of a selection are undone, and the selection stays', async () => {
  const { path, uuids, id } = await ownProject('Tagged', 'One', 'Two')
  const page = await openWindow(world, alice, path)
  await page.getByRole('checkbox', { name: 'Select One' }).check()
  await page.locator('#bulk summary', { hasText: 'Tags' }).click()
  await page.getByLabel('Tags to add or remove').fill('prod')
  await page.getByRole('button', { name: 'Add tags' }).click()
  await message(page, 'Changed the tags of 1 check.').waitFor()
  await row(page, uuids[0]!).getByText('prod').waitFor()
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 420 })
    if (width === 375) await page.locator('.choosing input').check()
    await page.waitForFunction(isBarFree)
  }
  await page.setViewportSize({ width: 1280, height: 720 })
  assert.equal(await page.getByRole('checkbox', { name: 'Select One' }).isChecked(), true)
  await undo(page).click()
  await message(page, 'Undone.').waitFor()
  assert.equal((await store.checks.facts(id, uuids[0]!, clock.now())).check.tags, '')
  await closeWindow(page)
})

test('a deleted check is gone at once, comes back if that is undone, and goes when the time is over', async () => {
  const { path, uuids } = await ownProject('Deleting', 'Kept', 'Regretted')
  const page = await openWindow(world, alice, path)
  const other = await openWindow(world, alice, path)
  const remove = async () => {
    await page.goto(`${world.root}/checks/${uuids[1]}/remove/`)
    await page.getByRole('button', { name: 'Delete check' }).click()
    await message(page, 'Deleted Regretted.').waitFor()
  }
  await remove()
  assert.equal(await row(page, uuids[1]!).count(), 0)
  await row(other, uuids[1]!).waitFor({ state: 'detached' })
  await undo(page).click()
  await row(page, uuids[1]!).waitFor()
  await row(other, uuids[1]!).waitFor()
  await remove()
  clock.advance(15)
  assert.deepEqual(await carryOut(world), [])
  await undo(page).click()
  await message(page, 'Not undone: the time to undo has passed.').waitFor()
  assert.equal(await row(page, uuids[1]!).count(), 0)
  await closeWindow(other)
  await closeWindow(page)
})

test('the message goes after ten seconds, later while it is in use', async () => {
  const { path } = await ownProject('Brief', 'Job')
  const page = await openWindow(world, alice, path, PHONE)
  await page.clock.install()
  await page.getByLabel('Actions for Job').click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await message(page, 'Paused Job.').waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= PHONE.width)
  await undo(page).focus()
  await page.clock.fastForward(11_000)
  await undo(page).waitFor()
  await page.clock.fastForward(4_000)
  await undo(page).waitFor({ state: 'detached' })
  await closeWindow(page)
})

test('without a connection the page says that nothing was changed', async () => {
  const { path, uuids } = await ownProject('Offline', 'Job')
  const page = await openWindow(world, alice, path)
  await page.context().setOffline(true)
  await page.getByLabel('Actions for Job').click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await message(page, 'Not connected: nothing was changed. Try again.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Pause' }).click()
  await message(page, 'Paused Job.').waitFor()
  await page.locator(`#c-${uuids[0]}.is-paused`).waitFor()
  await page.context().close()
})

test('without a script the next page has the button', async () => {
  const { path, uuids } = await ownProject('Plain', 'Job')
  const page = await openWindow(world, alice, path, { script: false })
  await page.getByLabel('Actions for Job').click()
  await row(page, uuids[0]!).getByRole('button', { name: 'Pause' }).click()
  await message(page, 'Paused Job.').waitFor()
  await undo(page).click()
  await message(page, 'Undone.').waitFor()
  await page.goto(`${world.root}/checks/${uuids[0]}/remove/`)
  await page.getByRole('button', { name: 'Delete check' }).click()
  await undo(page).click()
  await message(page, 'Undone.').waitFor()
  await row(page, uuids[0]!).waitFor()
  await closeWindow(page)
})

test('the message comes along to other pages until its time is over', async () => {
  const { path, uuids, id, uuid } = await ownProject('Along', 'Job')
  const page = await openWindow(world, alice, path)
  const isPaused = async () =>
    (await store.checks.facts(id, uuids[0]!, clock.now())).state.status === 'paused'
  for (const part of ['incidents', 'timeline']) {
    await page.getByLabel('Actions for Job').click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await message(page, 'Paused Job.').waitFor()
    for (const next of ['log', part]) {
      await page.goto(`${world.root}/projects/${uuid}/${next}/`)
      await message(page, 'Paused Job.').waitFor()
    }
    assert.equal(await isPaused(), true)
    await page.keyboard.press('z')
    await message(page, 'Undone.').waitFor()
    assert.equal(new URL(page.url()).pathname, `/projects/${uuid}/${part}/`)
    assert.equal(await isPaused(), false)
    await page.goto(world.root + path)
    assert.equal(await page.getByRole('status').getByText(/\w/).count(), 0, 'it is said once')
  }
  await page.clock.install()
  await page.getByLabel('Actions for Job').click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await message(page, 'Paused Job.').waitFor()
  clock.advance(8)
  await page.goto(`${world.root}/projects/${uuid}/log/`)
  await undo(page).waitFor()
  await page.clock.fastForward(2_000)
  await undo(page).waitFor({ state: 'detached' })
  await closeWindow(page)
})

test('a deletion is undone on another page, without a script too, which keeps what is typed', async () => {
  const { path, uuids, uuid } = await ownProject('Elsewhere', 'Kept', 'Regretted')
  for (const script of [true, false]) {
    const page = await openWindow(world, alice, `/checks/${uuids[1]}/remove/`, { script })
    await page.getByRole('button', { name: 'Delete check' }).click()
    await message(page, 'Deleted Regretted.').waitFor()
    await page.goto(`${world.root}/projects/${uuid}/integrations/`)
    await undo(page).click()
    await message(page, 'Undone.').waitFor()
    assert.equal(new URL(page.url()).pathname, `/projects/${uuid}/integrations/`)
    await page.goto(world.root + path)
    await row(page, uuids[1]!).waitFor()
    await closeWindow(page)
  }
  const page = await openWindow(world, alice, `/checks/${uuids[1]}/remove/`)
  await page.getByRole('button', { name: 'Delete check' }).click()
  await page.goto(`${world.root}/checks/${uuids[0]}/edit/`)
  await page.getByLabel('Name', { exact: true }).fill('Half typed')
  await undo(page).click()
  await message(page, 'Undone.').waitFor()
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half typed')
  await closeWindow(page)
})
