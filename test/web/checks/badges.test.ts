import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, rita, charlie, project, store } = world
const badges = `/projects/${project.uuid}/badges/`

test('every badge is shown, and its addresses lead to it', async () => {
  await store.checks.create(project.id, {
    changes: { name: 'Backup', tags: 'prod db/eu' },
    unique: null,
    now: world.clock.now(),
  })
  const { text } = await alice.get(badges)
  for (const label of ['All checks', 'prod', 'db/eu', 'Backup']) assert.ok(text.includes(label), label)
  const images = [...text.matchAll(/<img src="([^"]+)"/g)].map(match => match[1]!)
  assert.equal(images.length, 4)
  for (const image of images) assert.equal((await alice.get(image)).status, 200, image)
  assert.match(text, /!\[prod\]\(http/)
  assert.match(text, /&lt;img src=&quot;http/)
})

test('the badges of a project without checks say so, and a search that finds nothing says that', async () => {
  const { uuid, id } = await world.projectOf(alice, 'Empty')
  const main = async (query = '') => wordsOf((await alice.get(`/projects/${uuid}/badges/${query}`)).text)
  assert.match(await main(), /This project has no checks yet\./)
  assert.doesNotMatch(await main(), /Find a check/)
  await world.addCheck('Backup', id)
  assert.match(await main('?q=zzz'), /Find a check by name[\s\S]*No check has that name\./)
})

test('three states have addresses of their own', async () => {
  assert.match((await alice.get(badges)).text, /\/b\/2\//)
  assert.match((await alice.get(`${badges}?states=3`)).text, /\/b\/3\//)
})

test('a name that is code stays a name in the code that is copied', async () => {
  await world.addCheck('"><script>alert(1)</script>](x)')
  const { text } = await alice.get(`${badges}?q=script`)
  assert.ok(!text.includes('<script>alert'))
  assert.match(text, /\\\]\(x\)/)
})

test('an outsider finds no badges, a read-only member does', async () => {
  assert.equal((await charlie.get(badges)).status, 404)
  assert.equal((await rita.get(badges)).status, 200)
  assert.equal((await world.stranger().get(badges)).status, 302)
})
