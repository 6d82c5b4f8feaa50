/** The form of a policy in a real browser: the line of time follows what is typed, and all of it works without script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, store, clock, project, root } = world
const home = `/projects/${project.uuid}/policies/`
for (const name of ['Ops chat', 'On-call phone']) {
  const made = { projectId: project.id, name, kind: 'webhook', settings: {}, members: [], now: clock.now() }
  await store.channels.create(made)
}
const policies = async () => await store.incidents.policies(project.id)

test('the sentence and the line of time are redrawn while a policy is typed', async () => {
  const page = await openWindow(world, alice, `${home}add/`)
  const pane = page.locator('.preview-pane')
  await page.getByLabel('Name', { exact: true }).fill('On call')
  await page.getByRole('button', { name: 'Add a step' }).click()
  const second = page.getByRole('group', { name: 'Step 2', exact: true })
  await page.locator('#after-1:focus').waitFor()
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'On call')
  await pane.getByText('A preview is shown here once every field is valid.').waitFor()
  await second.getByLabel('When').fill('15 min')
  await second.getByRole('checkbox', { name: 'On-call phone' }).check()
  await pane.getByText('After 15 minutes, if nobody has acknowledged: On-call phone.').waitFor()
  assert.equal(await pane.locator('.policy-lane').count(), 2)
  await page.getByRole('checkbox', { name: 'Repeat' }).check()
  await pane.getByText('Then all of them every hour, 5 times.').waitFor()
  await page.getByLabel('Number of times').fill('2')
  await pane.getByText('every hour, 2 times.').first().waitFor()
  const dots = await pane.locator('.policy-lane').last().locator('circle').all()
  assert.deepEqual(
    await Promise.all(dots.map(dot => dot.getAttribute('cx'))),
    ['11.11%', '55.56%', '100%'],
    'to scale: 15 of 135 minutes, 75, 135',
  )
  assert.deepEqual(await findViolations(page), [])
  await second.getByLabel('When').fill('15')
  await page.getByRole('button', { name: 'Create policy' }).click()
  await page.getByText('Not saved: correct the field below.').waitFor()
  assert.deepEqual(await findViolations(page), [])
  assert.deepEqual(await policies(), [])
  // An answer that shows an error is a complaint of the console.
  await page.context().close()
})

test('the text of the button that removes a step begins where its fields begin', async () => {
  const page = await openWindow(world, alice, `${home}add/`)
  await page.getByRole('button', { name: 'Add a step' }).click()
  const step = page.getByRole('group', { name: 'Step 2', exact: true })
  const field = await step.getByLabel('When').evaluate(one => one.getBoundingClientRect().left)
  const text = await step.getByRole('button', { name: 'Remove step 2' }).evaluate(one => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return range.getBoundingClientRect().left
  })
  assert.ok(Math.abs(text - field) < 1, `${text} under ${field}`)
  await closeWindow(page)
})

test('a policy is created with the keyboard alone', async () => {
  const page = await openWindow(world, alice, home)
  await page.getByRole('link', { name: 'New policy' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#name:focus').waitFor()
  await page.keyboard.type('By keyboard')
  const press = async (key: string, until: string) => {
    for (let n = 0; n < 20; n++) {
      await page.keyboard.press(key)
      if ((await page.locator(`${until}:focus`).count()) > 0) return
    }
    assert.fail(`${until} was not reached`)
  }
  await press('Tab', '[name="who-0"][value="check"]')
  await page.keyboard.press('ArrowDown')
  await press('Tab', '[name="channel-0"]')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('Created the policy.').waitFor()
  const [policy] = await policies()
  assert.equal(policy!.name, 'By keyboard')
  assert.equal(policy!.steps[0]!.channels.length, 1)
  await store.incidents.deletePolicy(project.id, policy!.id, clock.now())
  await closeWindow(page)
})

test('without script, steps are added, mistakes stand at their fields, and a check gets the policy', async () => {
  const page = await openWindow(world, alice, `${home}add/`, { script: false })
  await page.getByLabel('Name', { exact: true }).fill('On call')
  await page.getByRole('button', { name: 'Add a step' }).click()
  await page.locator('#after-1').fill('15')
  await page.getByRole('checkbox', { name: 'On-call phone' }).last().check()
  await page.getByRole('button', { name: 'Create policy' }).click()
  assert.match((await page.locator('#after-1-error').textContent())!, /such as 15 min/)
  await page.locator('#after-1:focus').waitFor()
  await page.locator('#after-1').fill('15 min')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.locator('.preview-pane').getByText('After 15 minutes').first().waitFor()
  await page.getByRole('button', { name: 'Create policy' }).click()
  await page.getByText('Created the policy.').waitFor()
  const uuid = await world.addCheck('Backup')
  await page.goto(`${root}/checks/${uuid}/edit/`)
  await page.getByLabel('Policy').selectOption('On call')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('complementary', { name: 'Settings' }).getByRole('link', { name: 'On call' }).click()
  await page.getByText('Used by 1 check.').waitFor()
  await page.getByRole('link', { name: 'Delete On call' }).click()
  await page.getByText('The check that uses it has no policy from then on.').waitFor()
  await page.getByRole('button', { name: 'Delete policy' }).click()
  await page.getByText('Deleted On call.').waitFor()
  assert.equal(await store.incidents.policyOf(uuid), null)
  // An answer that shows an error is a complaint of the console.
  await page.context().close()
})
