/** A delivery whose row cannot be written delays only what its channel is sent about its check. Decision 0156. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import { webhook } from '../../../src/integrations/kinds/webhook/webhook.js'
import { eventually } from '../../_support/eventually.js'
import { recordPings } from '../../_support/record-pings.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { breakRow } from '../../_support/worlds/bad-row.js'
import { startDispatcher } from '../../_support/worlds/dispatcher.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const PLACES = [
  { on: 'UPDATE', table: 'deliveries', row: 'OLD' },
  { on: 'INSERT', table: 'notifications', row: 'NEW' },
] as const

/** A project with one channel, to be opened with its checks failing, and a dispatcher. */
async function open(t: TestContext, kind: 'webhook' | 'mattermost') {
  const receiver = await openRecorder(t)
  const { store, raw, remove } = await openFreshStore()
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const project = new StoreHarness(store, id, Date.now())
  const settings =
    kind === 'webhook'
      ? checkSettings(webhook, { url_down: `${receiver.url}/$NAME` })
      : checkSettings(mattermost, { url: receiver.url })
  await store.channels.create({ projectId: id, name: kind, kind, settings, members: [], now: 1 })
  let stop = async () => {}
  t.after(async () => {
    await stop()
    await remove()
  })
  const idOf = async (sql: string) => Number((await raw(sql))[0]!.id)
  const checkId = (slug: string) => idOf(`SELECT check_id AS id FROM check_details WHERE slug = '${slug}'`)
  return {
    raw,
    receiver,
    /** The names of checks of which the webhook was sent a down alert, in order. */
    paths: () => receiver.requests.map(({ url }) => url.slice(1)),
    async fail(slugs: readonly string[]) {
      await recordPings(
        store,
        slugs.map(slug => project.arrived(slug, 'fail')),
      )
    },
    deliveryOf: async (slug: string) =>
      await idOf(`SELECT id FROM deliveries WHERE check_id = ${await checkId(slug)}`),
    breaks: async ({ on, table, row }: (typeof PLACES)[number], slug: string) =>
      await breakRow(raw, { on, table, when: `${row}.check_id = ${await checkId(slug)}` }),
    start() {
      const dispatcher = startDispatcher({ store })
      stop = dispatcher.stop
      return dispatcher
    },
  }
}

for (const place of PLACES) {
  test(`a delivery with a bad row of ${place.table} delays no other of its channel`, async t => {
    const { fail, breaks, deliveryOf, start, paths } = await open(t, 'webhook')
    await fail(['bad', 'a', 'b'])
    const mend = await breaks(place, 'bad')
    const id = await deliveryOf('bad')
    const dispatcher = start()
    await eventually(() => paths().length === 2)
    await fail(['c'])
    dispatcher.wake()
    await eventually(() => paths().length === 3)
    assert.deepEqual(paths().toSorted(), ['a', 'b', 'c'])
    assert.equal(dispatcher.setAside(), 1)
    assert.deepEqual([...new Set(dispatcher.aside.map(one => `${one.what} ${one.id}`))], [`delivery ${id}`])
    await mend()
    await eventually(() => paths().includes('bad'))
    await eventually(() => dispatcher.setAside() === 0)
    assert.deepEqual(dispatcher.errors, [])
  })
}

test('a bad row among many alerts of a chat leaves the others one message', async t => {
  const { fail, breaks, start, receiver } = await open(t, 'mattermost')
  await fail(Array.from({ length: 40 }, (_, index) => `c${index}`))
  const mend = await breaks(PLACES[0], 'c17')
  const dispatcher = start()
  await eventually(() => receiver.requests.length === 1)
  assert.match(receiver.requests[0]!.body, /39 checks of Alice are DOWN/)
  await mend()
  await eventually(() => receiver.requests.length === 2)
  assert.match(receiver.requests[1]!.body, /“c17” is DOWN/)
  assert.deepEqual(dispatcher.errors, [])
})

test('a bad row at the end of very many alerts of a chat delays no others', async t => {
  const { fail, breaks, start, receiver } = await open(t, 'mattermost')
  await fail(Array.from({ length: 300 }, (_, index) => `c${index}`))
  const mend = await breaks(PLACES[0], 'c290')
  const dispatcher = start()
  const numbers = () =>
    receiver.requests.map(({ body }) => Number(/"title":"(\d+) checks of Alice are DOWN"/.exec(body)?.[1]))
  await eventually(() => numbers().length === 2)
  assert.deepEqual(numbers(), [250, 49])
  await mend()
  await eventually(() => receiver.requests.length === 3)
  assert.deepEqual(dispatcher.errors, [])
})

test('a channel of which nothing can be claimed is set aside, and not each of its deliveries', async t => {
  const { fail, raw, start, paths } = await open(t, 'webhook')
  await fail(Array.from({ length: 40 }, (_, index) => `c${index}`))
  const mend = await breakRow(raw, { on: 'INSERT', table: 'notifications', when: 'NEW.channel_id > 0' })
  const dispatcher = start()
  await eventually(() => dispatcher.aside.length > 0)
  const [channel] = await raw('SELECT id FROM channels')
  assert.deepEqual(
    [...new Set(dispatcher.aside.map(one => `${one.what} ${one.id}`))],
    [`channel ${channel!.id}`],
  )
  await mend()
  await eventually(() => paths().length === 40)
  assert.deepEqual(dispatcher.errors, [])
})
