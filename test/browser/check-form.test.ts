/** The form of a check in a real browser: what is wrong stands at its field, once, and at the right time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { pingCheck } from '../_support/ping-check.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const path = `/projects/${world.project.uuid}/checks/add/`
const WRONG =
  'A cron expression has five fields: minute, hour, day of the month, month, day of the week. This has 4.'

test('a wrong cron line is explained as cron at its field, and no more once it is right', async () => {
  const page = await openWindow(world, world.alice, path)
  await page.getByRole('radio', { name: /^Cron/ }).check()
  const cron = page.getByLabel('Cron expression')
  await cron.fill('61 25 * *')
  await page.locator('#cron-error').waitFor()
  assert.equal(await page.locator('#cron-error').textContent(), WRONG)
  assert.equal(await cron.getAttribute('aria-invalid'), 'true')
  assert.match((await cron.getAttribute('aria-describedby'))!, /cron-error/)
  assert.equal(await page.getByText(WRONG).count(), 1)
  assert.deepEqual(await findViolations(page), [])
  await cron.fill('15 3 * * *')
  await page.getByText('Daily at 03:15').waitFor()
  assert.equal(await page.locator('.error').count(), 0)
  assert.equal(await cron.getAttribute('aria-invalid'), null)
  await closeWindow(page)
})

test('an error of a kind that is not chosen any more goes away', async () => {
  const page = await openWindow(world, world.alice, path)
  await page.locator('#period').fill('now and then')
  await page.locator('#period-error').waitFor()
  await page.getByRole('radio', { name: /^Cron/ }).check()
  await page.locator('#period-error').waitFor({ state: 'detached' })
  await page.getByText('The next runs are shown here once the schedule is valid.').waitFor()
  assert.equal(await page.locator('.error').count(), 0, 'an empty field is no mistake yet')
  await closeWindow(page)
})

test('after the form was sent the sentence stands once, and the first wrong field has the focus', async () => {
  for (const script of [true, false]) {
    const page = await openWindow(world, world.alice, path, { script })
    await page.getByLabel('Name', { exact: true }).fill('Backup')
    await page.getByRole('radio', { name: /^Cron/ }).check()
    await page.getByLabel('Cron expression').fill('61 25 * *')
    await page.getByLabel('Grace').fill('a while')
    await page.getByRole('button', { name: 'Create check' }).click()
    await page.getByText('Not saved: correct the 2 fields below').waitFor()
    assert.equal(await page.getByText(WRONG).count(), 1)
    await page.locator('#cron:focus').waitFor()
    await page.getByRole('radio', { name: /^OnCalendar/ }).check()
    await page.locator('#cron-error').waitFor({ state: 'hidden' })
    await page.context().close()
  }
})

test('the sentence of runs and tolerance follows what is typed, and what is wrong stands at its field', async () => {
  const page = await openWindow(world, world.alice, path)
  await page.getByText('Runs and tolerance').click()
  const sentence = page.locator('#alert-words')
  assert.match((await sentence.textContent())!, /^Alerts at the first failure,/)
  await page.getByLabel('Failures until it is down').fill('3')
  await sentence.getByText('Alerts at the third failure in a row').waitFor()
  await page.getByRole('checkbox', { name: 'Missed runs' }).check()
  await sentence.getByText('Alerts at the third failure or missed run in a row').waitFor()
  await page.getByLabel('Longest run').fill('40 days')
  await page.locator('#max_duration-error').waitFor()
  await page.getByLabel('Longest run').fill('4 h')
  await page.locator('#max_duration-error').waitFor({ state: 'detached' })
  await sentence.getByText('longer than 4 hours').waitFor()
  assert.equal(await page.getByLabel('Early pings').isVisible(), false, 'a period has no times')
  await page.getByRole('radio', { name: /^Cron/ }).check()
  assert.equal(await page.getByLabel('Early pings').inputValue(), '1 minute')
  assert.equal(await page.getByLabel('Early pings').isVisible(), true)
  assert.deepEqual(await findViolations(page), [])
  await closeWindow(page)
})

test('the list shows a check that is failing as such at any width', async () => {
  const changes = { name: 'Flaky', failuresToAlert: 3 }
  const made = await world.store.checks.create(world.project.id, {
    changes,
    unique: null,
    now: world.clock.now(),
  })
  await pingCheck(world, made.check.uuid, 'fail')
  for (const width of [375, 1280]) {
    const page = await openWindow(world, world.alice, `/projects/${world.project.uuid}/checks/`, { width })
    assert.equal(await page.getByText('failing, 1 of 3').isVisible(), true, `${width}`)
    await closeWindow(page)
  }
})

test('only the fields of the chosen kind are shown, and a preset fills them, also without a script', async () => {
  for (const script of [true, false]) {
    const page = await openWindow(world, world.alice, path, { script })
    const cron = page.getByLabel('Cron expression')
    await page.locator('#period').waitFor()
    assert.equal(await cron.isVisible(), false)
    await page.getByLabel('Name', { exact: true }).fill('Report')
    await page.getByRole('radio', { name: /^Cron/ }).check()
    await cron.waitFor()
    assert.equal(await page.locator('#period').isVisible(), false)
    await page.getByRole('button', { name: 'Weekdays at 09:00' }).click()
    await page.getByText('At 09:00 on weekdays').waitFor()
    assert.equal(await cron.inputValue(), '0 9 * * 1-5')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Report')
    if (script) assert.deepEqual(await findViolations(page), [])
    await closeWindow(page)
  }
})

test('the button that saves stays in sight in a long form, and covers no field with the focus', async () => {
  const page = await openWindow(world, world.alice, path, { width: 1280, height: 700 })
  const save = page.getByRole('button', { name: 'Create check' })
  assert.equal(await save.evaluate(seen), true)
  await page.getByRole('radio', { name: /^Cron/ }).check()
  await page.getByLabel('Time zone of the schedule').focus()
  assert.equal(await page.getByLabel('Time zone of the schedule').evaluate(seen), true)
  await closeWindow(page)
})

/** Whether an element is what is at its own centre. */
function seen(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return document.elementFromPoint(x + width / 2, y + height / 2) === element
}
