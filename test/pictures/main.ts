/** Takes the pictures of the README anew: `npm run pictures`. Look at them before they are committed. */
import { join } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../src/lib/package-root.js'
import type { View } from '../_support/browser/browser.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld, PASSWORD } from '../_support/worlds/web-world.js'
import { passMonth } from './night.js'

test('pictures', { timeout: 600_000 }, async () => {
  const world = await openWebWorld()
  const { store, clock } = world
  const anna = await world.person('anna')
  const project = await world.projectOf(anna, 'Example Ltd production')
  await store.projects.putMember({
    projectId: project.id,
    userId: world.bob.id,
    role: 'member',
    now: clock.now(),
  })
  for (const [name, kind, settings] of [
    ['Operations pager', 'webhook', { url_down: 'https://pager.example.org/' }],
    ['Backups', 'slack', { url: 'https://hooks.slack.com/services/T0/B0/x' }],
  ] as const) {
    await store.channels.create({
      projectId: project.id,
      name,
      kind,
      settings,
      members: [],
      now: clock.now(),
    })
  }
  const uuidOf = await passMonth(world, project.id)
  const staging = await world.projectOf(anna, 'Warehouse staging')
  for (const name of ['Deploy preview environments', 'Nightly end-to-end tests', 'Image cache']) {
    const uuid = await world.addCheck(name, staging.id)
    await world.send('POST', `/ping/${uuid}${name === 'Image cache' ? '' : '/fail'}`)
  }
  // Their sessions have ended in the meantime.
  for (const person of [anna, world.bob]) await person.signIn(person.email, PASSWORD)
  const backup = uuidOf('Nightly PostgreSQL')
  const incident = await store.incidents.openIncident(backup)
  await world.bob.post('/incidents/acknowledge/', {
    incident: `${project.uuid}:${incident}`,
    note: 'S3 has an incident in eu-central-1; I start it again when they are done.',
  })

  async function take(name: string, path: string, view: View = {}) {
    const page = await openWindow(world, anna, '/docs/', view)
    // Scripts show the time that has passed.
    await page.clock.setFixedTime(clock.now())
    await page.goto(world.root + path)
    await page.waitForLoadState('networkidle').catch(() => {})
    await page.screenshot({ path: join(packageRoot, 'docs/screenshots', `${name}.png`) })
    await closeWindow(page)
  }

  const checks = `/projects/${project.uuid}/checks/`
  await take('checks-light', checks)
  await take('checks-dark', `${checks}?group=state`, { theme: 'dark' })
  await take('check-light', `/checks/${backup}/details/`)
  await take('check-phone', `/checks/${backup}/details/`, { width: 375, height: 740 })
  await take('timeline-light', '/timeline/?range=night')
  await take('overview-light', '/')
})
