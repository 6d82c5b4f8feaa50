/** The steps of a new check in a real browser. */
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { createMailer } from '../../src/lib/mail/mailer.js'
import { findViolations } from '../_support/browser/axe.js'
import { PHONE } from '../_support/browser/browser.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openMailServer } from '../_support/servers/mail-server.js'
import { openRecorder } from '../_support/servers/recorder.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const post = await openMailServer({ after } as TestContext)
const world = await openWebWorld({ mailer: createMailer(post.options) })
const { alice, store, clock } = world

async function fresh(name: string) {
  const project = await world.projectOf(alice, name)
  const uuid = await world.addCheck(name, project.id)
  return { project, uuid, path: `/checks/${uuid}/details/` }
}

test('the first ping arrives without a reload, and leaves the chosen tile as it is', async () => {
  const { uuid, path } = await fresh('Watched')
  const page = await openWindow(world, alice, path)
  const streams: string[] = []
  page.on('request', request => {
    if (request.resourceType() === 'eventsource') streams.push(request.url())
  })
  await page.getByText('Waiting for the first ping').waitFor()
  await page.getByText('Kubernetes', { exact: true }).click()
  await page.getByText('kind: CronJob').waitFor()
  await world.send('GET', `/ping/${uuid}/2`, { headers: { 'User-Agent': 'curl/8.5.0' } })
  await page.locator('#arrival').getByText('Received').waitFor()
  await page.getByText('The job exited with status 2, so the check is down.').waitFor()
  await page.locator('#setup-progress .is-done', { hasText: 'First ping' }).waitFor()
  assert.equal(await page.getByText('kind: CronJob').isVisible(), true)
  // The listener may miss the stream that the page opens at first.
  assert.ok(streams.length <= 1, streams.join(' '))
  await closeWindow(page)
})

test('who is alerted is saved, a test is sent and the steps are ended, without leaving the page', async () => {
  const { project, uuid, path } = await fresh('Stepped')
  const receiver = await openRecorder({ after } as TestContext)
  const pager = await store.channels.create({
    projectId: project.id,
    name: 'Ops pager',
    kind: 'webhook',
    settings: { url_down: `${receiver.url}/hook`, method_down: 'POST' },
    members: [],
    now: clock.now(),
  })
  await store.channels.switchForCheck(project.id, { check: uuid, channel: pager.uuid }, false, clock.now())
  await world.send('GET', `/ping/${uuid}`)
  const page = await openWindow(world, alice, path)
  const steps = page.locator('#step-receivers')
  assert.equal(await steps.isVisible(), false)
  await page.locator('#setup-progress').getByRole('link', { name: 'Alerts' }).click()
  assert.equal(await steps.getByText('Alerts go to Ops pager').count(), 0)
  await steps.getByLabel('Ops pager').check()
  await steps.getByLabel(alice.email).uncheck()
  await steps.getByRole('button', { name: 'Save' }).click()
  await steps.getByText('Alerts go to Ops pager').waitFor()
  await page.getByRole('button', { name: 'Send test alert' }).click()
  await page.getByText('The last message arrived.').waitFor()
  assert.equal(receiver.requests.length, 1)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.locator('#setup').waitFor({ state: 'detached' })
  await page.reload()
  assert.equal(await page.locator('#setup').count(), 0)
  await closeWindow(page)
})

test('the steps work without script, fit a phone and have no accessibility violations', async () => {
  const { path } = await fresh('Plain')
  for (const theme of ['light', 'dark'] as const) {
    const page = await openWindow(world, alice, path, { ...PHONE, theme })
    assert.deepEqual(await findViolations(page), [])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= PHONE.width, `${width} pixels wide`)
    await closeWindow(page)
  }
  const page = await openWindow(world, alice, path, { script: false })
  await page.getByText('systemd', { exact: true }).click()
  assert.equal(await page.getByText('WantedBy=timers.target').isVisible(), true)
  await page.locator('#step-receivers').getByRole('button', { name: 'Save' }).click()
  await page.getByText(`Alerts go to ${alice.email}`).waitFor()
  await closeWindow(page)
})
