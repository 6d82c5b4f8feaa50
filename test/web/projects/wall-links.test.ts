import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, project } = world

test('the wall display is linked from the list, the menu of projects, the settings and the search', async () => {
  await world.addCheck('Backup')
  const wall = /href="\/tv\/"/
  const own = `href="/projects/${project.uuid}/wall/"`
  const list = (await alice.get(`/projects/${project.uuid}/checks/`)).text
  assert.equal(list.split(own).length - 1, 2)
  assert.match((await alice.get('/projects/')).text, wall)
  assert.ok((await alice.get('/tv/')).text.includes(own))
  for (const path of [`/projects/${project.uuid}/settings/`, '/search/?q=wall+display']) {
    const main = (await alice.get(path)).text.replace(/<header.*?<\/header>/s, '')
    assert.match(main, wall, path)
  }
  assert.match((await world.stranger().get('/tv/')).text, /it needs a read-only key/)
})

test('the settings lead to the documentation of the APIs', async () => {
  const { text } = await alice.get(`/projects/${project.uuid}/settings/`)
  for (const path of ['management-api', 'api', 'own-api'])
    assert.match(text, new RegExp(`href="/docs/${path}/"`))
  assert.match((await alice.get('/docs/own-api/')).text, /API reference: Punctual’s own API/)
})
