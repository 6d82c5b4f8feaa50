/** The list of checks in groups, the list over all projects, and rows that are rendered once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock } = world

async function addCheck(projectId: number, name: string, tags: string, isDown = false): Promise<string> {
  const changes = { name, tags, periodSeconds: 86_400 }
  const { uuid } = (await store.checks.create(projectId, { changes, unique: null, now: clock.now() })).check
  await pingCheck(world, uuid, isDown ? 'fail' : 'success')
  return uuid
}

/** A person with two projects, of three checks and one. */
async function owner(name: string) {
  const visitor = await world.person(name)
  const [shop, farm] = [await world.projectOf(visitor, 'Shop'), await world.projectOf(visitor, 'Farm')]
  await addCheck(shop.id, 'Both', 'web db')
  await addCheck(shop.id, 'Database', 'db', true)
  await addCheck(shop.id, 'Plain', '')
  await addCheck(farm.id, 'Cows', 'web')
  return { visitor, shop, farm, path: `/projects/${shop.uuid}/checks/` }
}

/** The headings and the names in the list, in order. */
function linesIn(text: string): string[] {
  const lines = text.matchAll(/<tr class="group"[\s\S]*?<\/tr>|<a class="name[^"]*"[^>]*>([^<]*)</g)
  return [...lines].map(
    ([whole, name]) =>
      name ??
      whole
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
  )
}

test('a list in groups counts the checks of each, those with trouble first, and shows a check in each of its', async () => {
  const { visitor, path } = await owner('grouper')
  const lines = async (query: string) => linesIn((await visitor.get(path + query)).text)
  assert.deepEqual(await lines('?group=tag'), [
    ...['db 2 1 down', 'Database', 'Both'],
    ...['web 1', 'Both'],
    ...['No tag 1', 'Plain'],
  ])
  assert.deepEqual(await lines('?group=state'), ['Down 1 1 down', 'Database', 'Up 2', 'Both', 'Plain'])
  assert.deepEqual(await lines('?group=tag&fold=db&fold='), ['db 2 1 down', 'web 1', 'Both', 'No tag 1'])
  assert.deepEqual(await lines('?group=tag&search=plain'), ['No tag 1', 'Plain'])
  assert.deepEqual(await lines('?group=project'), ['Database', 'Both', 'Plain'])
  const { text } = await visitor.get(`${path}?group=tag`)
  const ids = [...text.matchAll(/<tr id="([^"]*)"/g)].map(match => match[1])
  assert.equal(new Set(ids).size, 4)
  assert.match(text, /href="[^"]*\?group=tag&amp;fold=db"/)
})

test('one list has the checks of all projects of its reader, with the same filters', async () => {
  const { visitor, farm } = await owner('all')
  const lines = async (query = '') => linesIn((await visitor.get(`/checks/${query}`)).text)
  assert.deepEqual(await lines(), ['Database', 'Both', 'Cows', 'Plain'])
  assert.deepEqual(await lines('?tag=web'), ['Both', 'Cows'])
  assert.deepEqual(await lines('?status=down'), ['Database'])
  assert.deepEqual(await lines('?group=project'), [
    'Shop 3 1 down',
    'Database',
    'Both',
    'Plain',
    'Farm 1',
    'Cows',
  ])
  const { text } = await visitor.get('/checks/')
  assert.match(text, /1 of 4 checks is down/)
  assert.match(text, new RegExp(`href="/projects/${farm.uuid}/checks/"[^>]*>Farm<`))
  assert.doesNotMatch((await world.charlie.get('/checks/')).text, /Database|Cows/)
  assert.equal((await world.stranger().get('/checks/')).status, 302)
})

test('in the list of all projects a read-only member has no actions, and writes come back to it', async () => {
  const { visitor, shop } = await owner('writer')
  const reader = await world.person('onlooker')
  await store.projects.putMember({ projectId: shop.id, userId: reader.id, role: 'readonly', now: 1 })
  const seen = (await reader.get('/checks/')).text
  assert.match(seen, /Database/)
  assert.doesNotMatch(seen, /formaction="[^"]*\/pause\//)
  const own = (await visitor.get('/checks/')).text
  const pause = /formaction="([^"]*\/pause\/)"/.exec(own)![1]!
  const { status, location } = await visitor.post(pause, {}, { Referer: `${world.root}/checks/?tag=db` })
  assert.deepEqual([status, location], [303, '/checks/?tag=db'])
})

test('a row that has not changed is not rendered again, and its times are right all the same', async () => {
  const { visitor, path, shop } = await owner('clock')
  const row = async () =>
    /<tr id="c-[^>]*>(?:(?!<\/tr>)[\s\S])*>Both<[\s\S]*?<\/tr>/.exec((await visitor.get(path)).text)![0]
  const first = await row()
  assert.match(first, /just now<\/time>/)
  assert.match(first, /in 24 h|in 1 d/)
  clock.advance(43_200)
  const later = await row()
  assert.match(later, />12 h ago<\/time>/)
  assert.match(later, />in 12 h<\/time>/)
  assert.match(later, /<progress [^>]*value="50"/)
  const [check] = (await store.checks.findUuids([shop], { ...ALL, search: 'Both' }, clock.now())) as [string]
  await store.checks.update(shop.id, check, { changes: { tags: 'fresh' }, now: clock.now() })
  assert.match(await row(), /fresh/)
  const berlin = { timezone: 'Europe/Berlin', theme: 'auto' } as const
  await store.people.setPreferences(visitor.id, berlin)
  assert.match(await row(), /UTC\+0[12]:00/)
})

const ALL = { search: '', states: [], tags: [], sort: 'state', group: null, folded: [] } as const
