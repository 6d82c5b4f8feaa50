/** Fields for tags complete each word with tags that checks have, and fields for time zones complete zones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, project, store, clock } = world
const at = `/projects/${project.uuid}/`

async function addTagged(name: string, tags: string, projectId = project.id) {
  const asked = { changes: { name, tags }, unique: null, now: clock.now() }
  return (await store.checks.create(projectId, asked)).check.uuid
}

const check = await addTagged('Backup', 'prod eu')
await addTagged('Import', 'prod db')
const other = await world.projectOf(alice, 'Other')
await addTagged('Export', 'secret', other.id)

/** What the browser suggests for the text in a field. */
const suggested = (field: Locator) =>
  field.evaluate((input: HTMLInputElement) =>
    [...input.list!.options]
      .filter(({ disabled, value }) => !disabled && value.startsWith(input.value))
      .map(({ value }) => value),
  )

async function assertCompletes(field: Locator) {
  await field.fill('')
  await field.focus()
  assert.deepEqual(await suggested(field), ['db', 'eu', 'prod'])
  await field.pressSequentially('prod e')
  assert.deepEqual(await suggested(field), ['prod eu'])
  await field.pressSequentially('u ')
  assert.deepEqual(await suggested(field), ['prod eu db'])
}

test('every field for tags completes each word with the tags of the project', async () => {
  const page = await openWindow(world, alice, `${at}checks/`)
  await page.getByRole('checkbox', { name: 'Select Backup' }).check()
  await page.locator('#bulk summary', { hasText: 'Tags' }).click()
  await assertCompletes(page.getByLabel('Tags to add or remove'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit…' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Tags', { exact: true }).first().check()
  await assertCompletes(drawer.getByRole('combobox', { name: 'Tags', exact: true }))
  for (const path of [`${at}checks/add/`, `/checks/${check}/edit/`, `${at}silences/add/`]) {
    await page.goto(world.root + path)
    if (path.includes('silences')) await page.getByLabel('Checks with a tag').check()
    await assertCompletes(page.getByRole('combobox', { name: 'Tags', exact: true }))
  }
  await closeWindow(page)
})

test('without a script the first tag is completed, and a time zone', async () => {
  const page = await openWindow(world, alice, `${at}checks/add/`, { script: false })
  assert.deepEqual(await suggested(page.getByRole('combobox', { name: 'Tags', exact: true })), [
    ...['db', 'eu', 'prod'],
  ])
  await page.getByLabel('Cron', { exact: true }).check()
  const zone = page.getByLabel('Time zone of the schedule')
  await zone.fill('Europe/Ber')
  assert.deepEqual(await suggested(zone), ['Europe/Berlin'])
  await closeWindow(page)
})
