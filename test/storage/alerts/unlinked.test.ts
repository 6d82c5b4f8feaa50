/** Channels that are not to hear of a check any more: decision 0110. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sendAll } from '../../_support/send-all.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const INCIDENTS = { rules: { keepsOpen: true } }
const NOTICE = { type: 'notice' as const, title: 'A was disabled', text: 'It was.', url: 'http://localhost' }

interface Linked {
  scene: StoreHarness
  channel: { id: number; uuid: string }
  check: string
}

/** A channel and a check that is linked to it. */
async function linked(t: TestContext): Promise<Linked> {
  const scene = await StoreHarness.open(t)
  const channel = await scene.addChannel('A')
  await scene.ping('backup')
  const [check] = await scene.checkUuids()
  return { scene, channel, check: check! }
}

/** Every way to unlink a check from a channel. */
const WAYS: [string, (linked: Linked) => Promise<unknown>][] = [
  [
    'the check is changed',
    ({ scene, check }) =>
      scene.store.checks.update(scene.projectId, check, { changes: {}, channels: '', now: scene.now }),
  ],
  ['the channel is switched off for it', link => switchTo(link, false)],
  [
    'the channel is switched off for many',
    ({ scene, channel, check }) =>
      scene.store.channels.switchForChecks(
        scene.projectId,
        { checks: [check], channel: channel.uuid },
        false,
        scene.now,
      ),
  ],
  [
    'the channel is given other checks',
    ({ scene, channel: { id } }) =>
      scene.store.channels.assign({ id, projectId: scene.projectId, checks: [], now: scene.now }),
  ],
]

async function switchTo({ scene, channel, check }: Linked, on: boolean): Promise<void> {
  await scene.store.channels.switchForCheck(scene.projectId, { check, channel: channel.uuid }, on, scene.now)
}

/** Time passes, and the channel is disabled and enabled: what was left behind would be sent now. */
async function comeBack({ scene, channel }: Linked): Promise<void> {
  scene.now += 3 * 86_400_000
  await scene.store.channels.setEnabled(channel.id, false, scene.now)
  await scene.store.channels.setEnabled(channel.id, true, scene.now)
}

for (const [way, unlink] of WAYS) {
  test(`waiting deliveries of a check are not sent when ${way}`, async t => {
    const link = await linked(t)
    const { scene } = link
    await scene.ping('backup', 'fail')
    const [down] = await scene.claim()
    await scene.settle(down!, { type: 'retry', error: 'away', retryAt: scene.now + 1_000 })
    await unlink(link)
    await scene.ping('backup')
    await comeBack(link)
    assert.deepEqual(await sendAll(scene), [])
    assert.deepEqual((await scene.store.channels.log(link.channel.id, 9)).waiting, [])
  })

  test(`an open incident is closed when ${way}`, async t => {
    const link = await linked(t)
    const { scene } = link
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
    await unlink(link)
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup deleted'])
    await comeBack(link)
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  })
}

test('a message under way when its check is unlinked is followed by its end, at once or once it is linked', async t => {
  for (const [outcome, rules, expected, linkedAgain, later] of [
    ['sent', {}, [], [], ['backup up']],
    ['sent', INCIDENTS.rules, ['backup deleted'], [], []],
    ['retry', {}, [], ['backup down'], ['backup up']],
    ['retry', INCIDENTS.rules, ['backup deleted'], [], []],
    ['lost', {}, [], ['backup down'], ['backup up']],
    ['lost', INCIDENTS.rules, ['backup deleted'], [], []],
  ] as const) {
    const link = await linked(t)
    const { scene } = link
    await scene.ping('backup', 'fail')
    const [down] = await scene.claim('me', { rules })
    await switchTo(link, false)
    assert.deepEqual(await scene.claim('me', { rules }), [], 'one message about a check at a time')
    const retry = { type: 'retry' as const, error: 'away', retryAt: scene.now + 1_000 }
    if (outcome === 'lost') scene.now += 10_001
    else await scene.settle(down!, outcome === 'sent' ? 'sent' : retry)
    assert.deepEqual(await sendAll(scene, { rules }), expected, outcome)
    await comeBack(link)
    assert.deepEqual(await sendAll(scene, { rules }), [])
    await switchTo(link, true)
    assert.deepEqual(await sendAll(scene, { rules }), linkedAgain)
    await scene.ping('backup')
    assert.deepEqual(await sendAll(scene, { rules }), later)
  }
})

test('a check unlinked and linked again before that was sent stays reported', async t => {
  for (const disabled of [false, true]) {
    for (const options of [INCIDENTS, {}]) {
      const link = await linked(t)
      const { scene, channel } = link
      await scene.ping('backup', 'fail')
      assert.deepEqual(await sendAll(scene, options), ['backup down'])
      if (disabled) await scene.store.channels.setEnabled(channel.id, false, scene.now)
      await switchTo(link, false)
      if (disabled) assert.deepEqual(await sendAll(scene, options), [])
      await switchTo(link, true)
      if (disabled) await scene.store.channels.setEnabled(channel.id, true, scene.now)
      assert.deepEqual(await sendAll(scene, options), [], 'it is down, as was reported')
      await scene.ping('backup')
      assert.deepEqual(await sendAll(scene, options), ['backup up'])
    }
  }
})

/** Ways in which a channel is to hear of its check no more, and then again. */
const BACK: [string, (linked: Linked) => Promise<(on: boolean) => Promise<unknown>>][] = [
  ['its link', async link => on => switchTo(link, on)],
  [
    'its group',
    async link => {
      const { scene, channel } = link
      const { id } = await scene.addChannel('G', {}, [channel.uuid])
      await switchTo(link, false)
      return on => scene.store.channels.setEnabled(id, on, scene.now)
    },
  ],
]

for (const [way, prepare] of BACK) {
  test(`a check still down when ${way} comes back after its end was tried is sent again`, async t => {
    for (const outcome of ['refused', 'cut off', 'disabled'] as const) {
      const link = await linked(t)
      const { scene, channel } = link
      const turn = await prepare(link)
      await scene.ping('backup', 'fail')
      assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
      await turn(false)
      const [closing] = await scene.claim('me', INCIDENTS)
      const retry = { type: 'retry' as const, error: 'Received status code 503', retryAt: scene.now + 1_000 }
      if (outcome === 'refused') await scene.settle(closing!, retry)
      if (outcome === 'disabled') {
        await scene.settle(closing!, { type: 'failed', error: '401', disabled: NOTICE })
        await scene.store.channels.setEnabled(channel.id, true, scene.now)
      }
      await turn(true)
      scene.now += 10_001
      assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'], outcome)
      scene.now += 3_600_000
      assert.deepEqual(await sendAll(scene, INCIDENTS), [])
      await scene.ping('backup')
      assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup up'])
    }
  })

  test(`a check still down when ${way} comes back while its end is sent is sent again`, async t => {
    for (const outcome of ['sent', 'refused'] as const) {
      const link = await linked(t)
      const { scene } = link
      const turn = await prepare(link)
      await scene.ping('backup', 'fail')
      assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
      await turn(false)
      const [closing] = await scene.claim('me', INCIDENTS)
      await turn(true)
      const retry = { type: 'retry' as const, error: 'away', retryAt: scene.now }
      await scene.settle(closing!, outcome === 'sent' ? 'sent' : retry)
      assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'], outcome)
      assert.deepEqual(await sendAll(scene, INCIDENTS), [])
      await scene.ping('backup')
      assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup up'])
    }
  })
}

test('a down alert that replaces a closing has its own idempotency key', async t => {
  const link = await linked(t)
  const { scene } = link
  await scene.ping('backup', 'fail')
  await sendAll(scene, INCIDENTS)
  await switchTo(link, false)
  const [closing] = await scene.claim('me', INCIDENTS)
  await switchTo(link, true)
  await scene.settle(closing!, 'sent')
  const [down] = await scene.claim('me', INCIDENTS)
  assert.notEqual(down!.parts[0]!.uuid, closing!.parts[0]!.uuid)
})

test('a check linked again after its incident was closed is sent its next incident', async t => {
  const link = await linked(t)
  const { scene } = link
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
  await switchTo(link, false)
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup deleted'])
  await switchTo(link, true)
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
})

/** What ends an incident of a check that goes on, with the same links. */
const ENDS: [string, (linked: Linked) => Promise<unknown>][] = [
  ['is cleared', ({ scene, check }) => scene.store.pings.clearEvents(scene.projectId, check, scene.now)],
  [
    'is moved away and back',
    async ({ scene: { store, projectId, now }, check }) => {
      const other = await store.projects.create({ name: 'Other', ownerId: null, pingKey: 'other', now: 1 })
      await store.checks.move({ projectId, uuid: check, targetId: other.id, now })
      await store.checks.move({ projectId: other.id, uuid: check, targetId: projectId, now })
    },
  ],
]

for (const [way, end] of ENDS) {
  test(`the incident of a check that ${way} is never closed after the next one began`, async t => {
    const link = await linked(t)
    const { scene } = link
    await scene.ping('backup', 'fail')
    await sendAll(scene, INCIDENTS)
    await end(link)
    const isDown = way === 'is moved away and back'
    const [closing] = await scene.claim('me', INCIDENTS)
    if (isDown) assert.equal(closing, undefined, 'what was reported is true again')
    else await scene.settle(closing!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
    await scene.ping('backup')
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
    scene.now += 60_000
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
    await scene.ping('backup')
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup up'])
  })

  test(`a message under way when its check ${way} comes before later ones`, async t => {
    for (const arrives of [true, false]) {
      const link = await linked(t)
      const { scene } = link
      await scene.ping('backup', 'fail')
      const [down] = await scene.claim('me', INCIDENTS)
      await end(link)
      await scene.ping('backup')
      await scene.ping('backup', 'fail')
      assert.deepEqual(await scene.claim('me', INCIDENTS), [], 'one message about a check at a time')
      const retry = { type: 'retry' as const, error: 'away', retryAt: scene.now + 1_000 }
      await scene.settle(down!, arrives ? 'sent' : retry)
      scene.now += 1_000
      assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
      scene.now += 60_000
      assert.deepEqual(await sendAll(scene, INCIDENTS), [])
    }
  })
}

test('clearing a check closes its incident, and other kinds forget it', async t => {
  for (const [options, expected] of [
    [INCIDENTS, ['backup deleted']],
    [{}, []],
  ] as const) {
    const link = await linked(t)
    const { scene, check } = link
    await scene.ping('backup', 'fail')
    await sendAll(scene, options)
    await scene.store.pings.clearEvents(scene.projectId, check, scene.now)
    assert.deepEqual(await sendAll(scene, options), expected)
    await scene.ping('backup')
    assert.deepEqual(await sendAll(scene, options), [])
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sendAll(scene, options), ['backup down'])
  }
})

test('a closing never closes the next incident of a check that is linked again', async t => {
  const link = await linked(t)
  const { scene } = link
  await scene.ping('backup', 'fail')
  await sendAll(scene, INCIDENTS)
  await switchTo(link, false)
  const [closing] = await scene.claim('me', INCIDENTS)
  await scene.settle(closing!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
  await switchTo(link, true)
  await scene.ping('backup')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
  scene.now += 60_000
  assert.deepEqual(await sendAll(scene, INCIDENTS), [])
})

test('a closing waits until a disabled channel is enabled', async t => {
  const link = await linked(t)
  const { scene, channel } = link
  await scene.ping('backup', 'fail')
  await sendAll(scene, INCIDENTS)
  await scene.store.channels.setEnabled(channel.id, false, scene.now)
  await switchTo(link, false)
  assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  await scene.store.channels.setEnabled(channel.id, true, scene.now)
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup deleted'])
})

test('a channel still linked to a check in another way keeps its deliveries', async t => {
  const link = await linked(t)
  const { scene, channel } = link
  const group = await scene.addChannel('G', {}, [channel.uuid])
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
  await switchTo(link, false)
  assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  await switchTo(link, true)
  await scene.store.channels.delete(group.id, scene.now)
  assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup up'])
})

test('a channel that leaves a group, or whose group is deleted, is sent nothing through it', async t => {
  const ends = [
    (scene: StoreHarness, id: number) => scene.store.channels.delete(id, scene.now),
    (scene: StoreHarness, id: number) => scene.store.channels.setEnabled(id, false, scene.now),
    (scene: StoreHarness, id: number) =>
      scene.store.channels.assign({ id, projectId: scene.projectId, checks: [], now: scene.now }),
    async (scene: StoreHarness, id: number) => {
      scene.now += 1_000
      const { uuid } = await scene.addChannel('Younger than the incident')
      const group = { id, projectId: scene.projectId, name: 'G', settings: {}, members: [uuid] }
      await scene.store.channels.update({ ...group, now: scene.now })
    },
  ]
  for (const end of ends) {
    const link = await linked(t)
    const { scene, channel } = link
    const group = await scene.addChannel('G', {}, [channel.uuid])
    await scene.ping('waiting')
    const none = { id: channel.id, projectId: scene.projectId, checks: [], now: scene.now }
    await scene.store.channels.assign(none)
    for (const slug of ['backup', 'waiting']) await scene.ping(slug, 'fail')
    const [sent, waiting] = await scene.claim('me', INCIDENTS)
    await scene.settle(sent!, 'sent')
    await scene.settle(waiting!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
    await end(scene, group.id)
    const closed = ['backup deleted', 'waiting deleted']
    assert.deepEqual(await sendAll(scene, INCIDENTS), closed, 'what was tried may have arrived')
    await comeBack(link)
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  }
})

test('moving a check to another project closes its incident at the channels of the old one', async t => {
  const { scene, check } = await linked(t)
  const { store, projectId } = scene
  await scene.ping('backup', 'fail')
  await sendAll(scene, INCIDENTS)
  const target = await store.projects.create({ name: 'Other', ownerId: null, pingKey: 'other', now: 1 })
  await store.checks.move({ projectId, uuid: check, targetId: target.id, now: scene.now })
  const [closing, ...others] = await scene.claim('me', INCIDENTS)
  assert.deepEqual(others, [])
  assert.equal(closing!.parts[0]!.closing!.project.name, 'Alice', 'the old project alone is named')
  await scene.settle(closing!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
  await store.checks.update(target.id, check, { changes: {}, channels: '', now: scene.now })
  await store.checks.delete(target.id, check, scene.now)
  scene.now += 60_000
  const [again] = await scene.claim('me', INCIDENTS)
  assert.equal(again!.parts[0]!.closing!.project.name, 'Alice', 'also once it is deleted there')
  await scene.settle(again!, 'sent')
})

test('a leftover row sends no down alert about a check that is up', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await raw("UPDATE checks SET status = 'up'")
  assert.deepEqual(await scene.claim(), [])
  assert.deepEqual((await store.channels.log(id, 9)).waiting, [])
})

test('a leftover row of an unlinked check is not sent', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await raw('DELETE FROM check_channels')
  assert.deepEqual(await scene.claim(), [])
  assert.deepEqual((await store.channels.log(id, 9)).waiting, [])
})

for (const [what, first] of [
  ['was sent', { type: 'sent' }],
  ['may have arrived', { type: 'retry', error: 'cut off' }],
] as const)
  test(`an incident that ${what} is closed by a claim that comes before what ends the check for the channel`, async t => {
    const { store, raw, remove } = await openFreshStore()
    t.after(remove)
    const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    const scene = new StoreHarness(store, project.id)
    const { id } = await scene.addChannel('A')
    await scene.ping('backup', 'fail')
    const [down] = await scene.claim('me', INCIDENTS)
    const outcome = first.type === 'sent' ? first : { ...first, retryAt: scene.now + 1_000 }
    await scene.settle(down!, outcome as Parameters<typeof scene.settle>[1])
    await scene.ping('backup')
    // As after a large change whose follow-up has not begun.
    await raw('DELETE FROM check_channels')
    scene.now += 1_000
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup deleted'])
    scene.now += 60_000
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
    assert.deepEqual((await store.channels.log(id, 9)).waiting, [])
  })

test('a flapping notice leaves nothing behind if its check is unlinked meanwhile', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const channel = await scene.addChannel('A')
  for (const [unlinks, expected] of [
    [false, 1],
    [true, 0],
  ] as const) {
    const slug = `unlinked ${unlinks}`.replace(' ', '-')
    for (let time = 0; time < 6; time++) {
      scene.now += 1_000
      await scene.ping(slug, time % 2 === 0 ? 'fail' : 'success')
    }
    const [message] = await scene.claim('me', { rules: { grouped: true } })
    assert.equal(message!.form, 'flapping')
    const none = { id: channel.id, projectId: project.id, checks: [], now: scene.now }
    if (unlinks) await store.channels.assign(none)
    await scene.settle(message!, { type: 'sent', alertClass: 'other', flapping: 'begun' })
    const rows = await raw(
      `SELECT f.check_id FROM flapping f JOIN check_details d ON d.check_id = f.check_id WHERE d.slug = '${slug}'`,
    )
    assert.equal(rows.length, expected)
  }
})
