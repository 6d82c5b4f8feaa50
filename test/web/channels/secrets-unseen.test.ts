/** Plants a mark in every secret of every kind of channel, then looks for it in what people and programs read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NATIVE_PREFIX, nativeRoutes } from '../../../src/http/native/native-routes.js'
import { routes } from '../../../src/http/web/routes.js'
import type { Field } from '../../../src/integrations/field.js'
import { integrations } from '../../../src/integrations/index.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, rita, project, store, clock } = world
let planted = 0
/** What nobody may see, and where it is. */
const secrets = new Map<string, string>()

/** A value of this field, with a mark where it is secret. */
function valueFor(kind: string, field: Field): string {
  const mark = `Canary${String(++planted).padStart(5, '0')}xyz`
  if (field.type === 'url') {
    secrets.set(mark, `${kind}.${field.name}`)
    return field.sensitive ? `https://host.example.org/a/${mark}` : `https://me:${mark}@host.example.org/`
  }
  if (!field.sensitive) return field.default ?? ''
  secrets.set(mark, `${kind}.${field.name}`)
  return field.name.startsWith('headers') ? `X-Key: ${mark}` : mark
}

const channels: string[] = []
for (const { kind, fields } of integrations) {
  const settings = () => Object.fromEntries(fields.map(field => [field.name, valueFor(kind, field)]))
  const made = await store.channels.create({
    projectId: project.id,
    name: `The ${kind}`,
    kind,
    settings: settings(),
    members: [],
    now: clock.now(),
  })
  channels.push(made.uuid)
  await store.channels.update({
    ...made,
    projectId: project.id,
    name: `Now ${kind}`,
    settings: settings(),
    members: [],
    now: clock.now(),
  })
}

function none(text: string, where: string, found: Set<string>): void {
  for (const [mark, name] of secrets) if (text.includes(mark)) found.add(`${where}: ${name}`)
}

test('no page shows a secret of a channel', async () => {
  const found = new Set<string>()
  const subjects: Record<string, string[]> = { projects: [project.uuid], integrations: channels }
  const pages = routes.filter(
    ({ method, path }) => method === 'GET' && !path.endsWith('/live/') && path.includes('/:uuid/'),
  )
  for (const { path } of pages) {
    const people: Record<string, typeof alice> = { alice, rita }
    // The form of who may change the address of a server has the whole address.
    if (path === '/integrations/:uuid/edit/') delete people.alice
    for (const uuid of subjects[path.split('/')[1]!] ?? []) {
      const url = path
        .replace(':uuid', uuid)
        .replace(':kind', 'webhook')
        .replace(/:\w+\??/g, '1')
      for (const [who, person] of Object.entries(people)) {
        const page = await person.get(url)
        assert.ok(page.status < 500, `${url}: ${page.status}`)
        none(page.text, `${who} ${path}`, found)
      }
    }
  }
  assert.deepEqual([...found], [])
})

test('no answer of the own API, and no event, has a secret of a channel', async () => {
  const found = new Set<string>()
  const bearers = {
    owner: (await world.token({ userId: alice.id })).token,
    reader: (await world.token({ userId: rita.id })).token,
  }
  async function read(who: string, token: string, path: string, query = ''): Promise<void> {
    const headers = { Authorization: `Bearer ${token}`, 'Last-Event-ID': '0' }
    const url = `${NATIVE_PREFIX}${path}?project=${project.uuid}${query}`
    const { status, text } = await world.send('GET', url, { headers })
    assert.ok(status < 500, `${url}: ${status}`)
    none(text, `${who} ${path}`, found)
    const next = path === '/log' && status === 200 ? JSON.parse(text).next : null
    if (next !== null) await read(who, token, path, `&cursor=${next}`)
  }
  for (const { path, methods } of nativeRoutes) {
    if (!methods.GET || !/^\/(channels|config|log|events|projects)/.test(path)) continue
    for (const name of path.startsWith('/channels/') ? channels : [project.uuid]) {
      for (const [who, token] of Object.entries(bearers)) {
        await read(who, token, path.replace('{uuid}', name))
      }
    }
  }
  assert.deepEqual([...found], [])
})
