import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProfile, troubles } from '../_support/browser/browser.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()

test('an address where nothing is answers 404 with a page that loads in a browser', async () => {
  const profile = await newProfile()
  const page = await profile.newPage()
  const found = troubles(page)
  const answer = await page.goto(`${world.root}/nothing/here/`)
  assert.equal(answer?.status(), 404)
  assert.equal(await page.locator('h1').textContent(), 'Not found')
  assert.equal(await page.title(), 'Not found · Punctual')
  const height = await page.locator('.masthead-row').evaluate(row => row.getBoundingClientRect().height)
  assert.ok(height >= 48, 'the stylesheet was loaded')
  assert.deepEqual(
    found.filter(text => !text.includes('404')),
    [],
  )
})

test('the masthead and the navigation stand at the same place on every page', async () => {
  const { alice, project } = world
  const uuid = await world.addCheck('Nightly')
  const at = `/projects/${project.uuid}`
  const page = await openWindow(world, alice, `${at}/checks/`, { width: 1920 })
  const places = () =>
    page.locator('.home, .masthead-end, .project-nav a').evaluateAll(parts =>
      parts.map(part => {
        const { left, right } = part.getBoundingClientRect()
        return [left, right]
      }),
    )
  const first = await places()
  assert.equal(first.length, 10)
  const paths = ['checks', 'incidents', 'timeline', 'integrations', 'log', 'settings'].map(
    part => `${at}/${part}/`,
  )
  for (const path of [...paths, `/checks/${uuid}/details/`, `/checks/${uuid}/edit/`]) {
    await page.goto(world.root + path)
    assert.deepEqual(await places(), first, path)
    const content = await page.locator('main h1').evaluate(title => title.getBoundingClientRect().left)
    assert.ok(Math.abs(content - first[0]![0]!) < 40, `${path} begins at ${content}`)
  }
  await closeWindow(page)
})

test('somebody with one project begins at its checks, and finds the projects to make another', async () => {
  const person = await world.person('solo')
  const { uuid } = await world.projectOf(person, 'Only')
  for (const script of [true, false]) {
    const page = await openWindow(world, person, '/', { script })
    await page.waitForURL(`${world.root}/projects/${uuid}/checks/`)
    await page.locator('.switch-name').click()
    await page.getByRole('link', { name: 'All projects' }).click()
    await page.waitForURL(`${world.root}/projects/`)
    assert.equal(await page.getByRole('link', { name: 'New project' }).last().isVisible(), true)
    await page.getByRole('link', { name: 'Punctual' }).click()
    await page.waitForURL(`${world.root}/projects/${uuid}/checks/`)
    await closeWindow(page)
  }
})
