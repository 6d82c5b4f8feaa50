/** What pages call a check that has no name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addChannel } from '../../../src/actions/channels/add-channel.js'
import { uniqueKey } from '../../../src/storage/checks/checks.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, store, clock, project, root } = world
const create = async (slug: string) =>
  (await store.checks.create(project.id, { changes: { name: '', slug }, unique: null, now: clock.now() }))
    .check.uuid
const [bare, withSlug] = [await create(''), await create('import-of-orders')]
const label = `Unnamed check ${uniqueKey(bare).slice(0, 8)}`
const channel = await addChannel(store, clock, {
  asker: null,
  by: null,
  projectId: project.id,
  kind: 'webhook',
  name: '',
  settings: { url_down: 'https://example.org/', method_down: 'GET' },
})
for (const uuid of [bare, withSlug]) await fetch(`${root}/ping/${uuid}/fail`)
clock.advance(60)
const silence = await store.silences.create(project.id, {
  mode: 'hold',
  scope: { checks: [bare, withSlug] },
  channels: null,
  times: { kind: 'once', from: null, to: clock.now() + 86_400_000 },
  reason: '',
  createdBy: '',
  now: clock.now(),
})

const iso = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString()
const of = `/projects/${project.uuid}`
for (const path of [
  '/projects/',
  '/checks/',
  `${of}/checks/`,
  `${of}/log/`,
  `${of}/changes/?all=1`,
  `${of}/badges/`,
  `${of}/silences/`,
  `${of}/silences/${silence.id}/edit/`,
  `${of}/timeline/?from=${iso(-3600)}&to=${iso(0)}`,
  `/integrations/${channel.uuid}/`,
  '/search/?q=',
]) {
  test(`a check without a name has the same label everywhere: ${path
    .replace(of, '…')
    .replace(/\?.*/, '')
    .replace(/[0-9a-f-]{36}/, '…')}`, async () => {
    const { status, text } = await alice.get(path)
    assert.equal(status, 200)
    assert.ok(text.includes(label), 'without name and slug')
    assert.ok(text.includes('import-of-orders'), 'with a slug')
    assert.doesNotMatch(text, />\s*unnamed\s*</i)
  })
}

test('so it is in the drawer for editing many', async () => {
  const { text } = await alice.post(`${of}/checks/bulk/edit/`, { check: [bare, withSlug] })
  assert.ok(text.includes(label))
  assert.ok(text.includes('import-of-orders'))
})
