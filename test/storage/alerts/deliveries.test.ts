import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { chunks } from '../../../src/storage/chunks.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { recordPings } from '../../_support/record-pings.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const said = (claimed: ClaimedMessage[]) =>
  claimed.flatMap(({ channel, parts }) => parts.map(({ flip }) => `${channel.name} ${flip?.newStatus}`))

const partsOf = ({ parts }: ClaimedMessage) =>
  parts.map(({ uuid, notificationUuid }) => ({ uuid, notificationUuid }))

const notice = (title: string) => ({ type: 'notice' as const, title, text: '', url: '' })

test('a failing ping adds one delivery for each enabled channel of its check', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('backup', 'fail')
  assert.deepEqual(said(await scene.claim()).sort(), ['A down', 'B down'])
})

test('a first success and the end of a pause add no delivery', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup')
  assert.deepEqual(await scene.claim(), [])
})

test('a group that lost its members and gets one sends nothing itself any more', async t => {
  const scene = await StoreHarness.open(t)
  const { store, projectId, now } = scene
  await scene.ping('backup')
  const { id, uuid } = await scene.addChannel('A')
  const group = await scene.addChannel('G', {}, [uuid])
  await store.channels.delete(id, now)
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  assert.equal(message!.channel.id, group.id)
  await scene.settle(message!, { type: 'retry', error: 'The group has no members', retryAt: now + 1_000 })
  const member = await scene.addChannel('B')
  await store.channels.assign({ id: member.id, projectId, checks: [], now })
  const edit = { id: group.id, projectId, name: 'G', settings: {}, members: [member.uuid], now }
  await store.channels.update(edit)
  scene.now += 2_000
  assert.deepEqual(
    (await scene.claim()).map(({ channel }) => channel.id),
    [member.id],
  )
})

test('each enabled member of a group is sent an alert once', async t => {
  const scene = await StoreHarness.open(t)
  const [a, b] = [await scene.addChannel('A'), await scene.addChannel('B')]
  await scene.addChannel('C')
  await scene.addChannel('G', {}, [a.uuid, b.uuid])
  await scene.ping('backup', 'fail')
  for (const message of await scene.claim()) {
    const disabled = { type: 'failed' as const, error: 'gone', disabled: notice('C') }
    await scene.settle(message, message.channel.name === 'C' ? disabled : 'sent')
  }
  for (const message of await scene.claim()) await scene.settle(message, 'sent')
  await scene.ping('backup', 'success')
  assert.deepEqual(said(await scene.claim()).sort(), ['A up', 'B up'])
})

test('while a message about a check is under way, its newer changes wait', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [down] = await scene.claim()
  await scene.ping('backup', 'success')
  assert.deepEqual(await scene.claim(), [])
  await scene.settle(down!, 'sent')
  assert.deepEqual(said(await scene.claim()), ['A up'])
})

test('a recovery replaces a failed down alert at once, and says so', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [down] = await scene.claim()
  await scene.ping('backup', 'success')
  await scene.settle(down!, { type: 'retry', error: 'no answer', retryAt: scene.now + 60_000 })
  const [up, ...others] = await scene.claim()
  assert.deepEqual(others, [])
  const [part] = up!.parts
  assert.deepEqual([part!.due!.superseded, part!.due!.missedDown], [1, true])
  assert.equal(part!.createdAt, down!.parts[0]!.createdAt, 'it has waited since the first was to be sent')
  const { events } = await scene.store.channels.log(id, 10)
  assert.deepEqual(
    events.map(({ error }) => error),
    ['Sending', 'Superseded by a newer status change', 'no answer'],
  )
})

test('a retry has the same key and the next number', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [first] = await scene.claim()
  await scene.settle(first!, { type: 'retry', error: 'no answer', retryAt: scene.now })
  const [again] = await scene.claim()
  assert.equal(again!.parts[0]!.uuid, first!.parts[0]!.uuid)
  assert.equal(again!.parts[0]!.attempts, 1)
})

test('different checks of one channel do not wait for each other', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('one', 'fail')
  await scene.ping('two', 'fail')
  assert.equal((await scene.claim()).length, 2)
})

test('a claimed delivery goes to another process only after its lease, as a retry', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [mine] = await scene.claim('me')
  assert.deepEqual(await scene.claim('other'), [])
  scene.now += 9_000
  const ids = mine!.parts.map(part => part.id)
  await scene.store.alerts.renewClaims({ worker: 'me', ids, until: scene.now + 10_000 })
  scene.now += 9_000
  assert.deepEqual(await scene.claim('other'), [])
  scene.now += 2_000
  const [theirs] = await scene.claim('other')
  assert.equal(theirs!.parts[0]!.uuid, mine!.parts[0]!.uuid)
  assert.equal(theirs!.parts[0]!.attempts, 1, 'it may have arrived, so it counts')
  await scene.settle(mine!, 'sent')
  assert.equal((await scene.store.channels.log(id, 9)).waiting.length, 1, 'the claim of the first is lost')
  await scene.settle(theirs!, 'sent', 'other')
  assert.deepEqual((await scene.store.channels.log(id, 9)).waiting, [])
})

test('a claim that its process lost is retried after its lease', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('one', 'fail')
  const [lost] = await scene.claim('me')
  await scene.ping('two', 'fail')
  const [other] = await scene.claim('me')
  scene.now += 9_000
  const ids = other!.parts.map(part => part.id)
  await scene.store.alerts.renewClaims({ worker: 'me', ids, until: scene.now + 10_000 })
  scene.now += 2_000
  const again = await scene.claim('me')
  assert.deepEqual(
    again.flatMap(({ parts }) => parts.map(({ uuid }) => uuid)),
    lost!.parts.map(({ uuid }) => uuid),
  )
})

test('a process does not reclaim what it is sending, even if its clock jumps', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [mine] = await scene.claim()
  scene.now += 3_600_000
  assert.deepEqual(await scene.claim('me', { inHand: mine!.parts.map(({ id }) => id) }), [])
})

test('released claims are due at once, and count as attempts', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await scene.claim('me')
  assert.deepEqual(await scene.store.alerts.claimants(), ['me'])
  await scene.store.alerts.releaseClaims(['me'], scene.now)
  assert.deepEqual(await scene.store.alerts.claimants(), [])
  const [again] = await scene.claim('other')
  assert.equal(again!.parts[0]!.attempts, 1)
  const { events } = await scene.store.channels.log(id, 10)
  assert.deepEqual(
    events.map(({ error }) => error),
    ['Sending', 'Interrupted'],
  )
})

test('a permanent failure disables the channel, and the project’s others are sent a notice', async t => {
  const scene = await StoreHarness.open(t)
  const broken = await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('backup', 'fail')
  for (const message of await scene.claim()) {
    const disabled = { type: 'failed' as const, error: 'gone', disabled: notice('A was disabled') }
    await scene.settle(message, message.channel.name === 'A' ? disabled : 'sent')
  }
  const [message, ...others] = await scene.claim()
  assert.deepEqual([message!.channel.name, message!.parts[0]!.notice], ['B', notice('A was disabled')])
  assert.deepEqual(others, [])
  const channel = await scene.store.channels.find(broken.uuid)
  assert.deepEqual([channel!.disabled, channel!.lastError], [true, 'gone'])
})

test('a channel with several permanent failures is disabled and announced once', async t => {
  const scene = await StoreHarness.open(t)
  const broken = await scene.addChannel('A')
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  await scene.addChannel('B')
  const messages = await scene.claim()
  assert.equal(messages.length, 3)
  for (const message of messages) {
    await scene.settle(message, { type: 'failed', error: 'gone', disabled: notice('A was disabled') })
  }
  const notices = await scene.claim()
  assert.deepEqual(
    notices.map(({ channel, parts }) => [channel.name, parts[0]!.notice]),
    [['B', notice('A was disabled')]],
  )
  assert.equal((await scene.store.channels.find(broken.uuid))!.disabled, true)
})

test('an attempt that began before its channel was enabled does not disable it again', async t => {
  const scene = await StoreHarness.open(t)
  const { id, uuid } = await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('backup', 'fail')
  const claimed = await scene.claim()
  const [late] = claimed.filter(({ channel }) => channel.name === 'A')
  for (const message of claimed) if (message !== late) await scene.settle(message, 'sent')
  await scene.store.channels.setEnabled(id, false, scene.now)
  await scene.store.channels.setEnabled(id, true, scene.now)
  await scene.settle(late!, { type: 'failed', error: 'gone', disabled: notice('A was disabled') })
  assert.equal((await scene.store.channels.find(uuid))!.disabled, false)
  const [again, ...others] = await scene.claim()
  assert.deepEqual([again!.channel.name, again!.parts[0]!.change!.status, others], ['A', 'down', []])
  await scene.settle(again!, { type: 'failed', error: 'gone', disabled: notice('A was disabled') })
  assert.equal((await scene.store.channels.find(uuid))!.disabled, true, 'this one began afterwards')
})

test('released deliveries count as attempts only if sending had begun', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  for (const [begun, attempts, errors] of [
    [false, 0, []],
    [true, 1, ['Interrupted']],
  ] as const) {
    const [message] = await scene.claim('me')
    await scene.store.alerts.giveBack({ worker: 'me', attempts: partsOf(message!), begun, now: scene.now })
    const { events, waiting } = await scene.store.channels.log(id, 9)
    assert.deepEqual([waiting[0]!.attempts, events.map(({ error }) => error)], [attempts, errors])
  }
})

test('another process’s claims are neither released nor renewed', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [mine] = await scene.claim('me')
  scene.now += 10_001
  const [theirs] = await scene.claim('other')
  const { id } = theirs!.parts[0]!
  const until = scene.now + 10_000
  const renew = (worker: string) => scene.store.alerts.renewClaims({ worker, ids: [id], until })
  assert.deepEqual(await renew('me'), { renewed: [], locked: [] })
  await scene.store.alerts.giveBack({ worker: 'me', attempts: partsOf(mine!), begun: true, now: scene.now })
  assert.deepEqual(await scene.store.alerts.claimants(), ['other'])
  assert.deepEqual(await renew('other'), { renewed: [id], locked: [] })
})

test('every attempt of an interrupted digest is recorded as interrupted', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  await scene.addChannel('A')
  for (let from = 0; from < 1_200; from += 100) {
    const pings = Array.from({ length: 100 }, (_, index) => scene.arrived(`check-${from + index}`, 'fail'))
    await recordPings(store, pings)
  }
  const [message] = await scene.claim('me', { rules: { grouped: true }, deliveries: 1_200 })
  assert.equal(message!.parts.length, 1_200)
  await store.alerts.releaseClaims(['me'], scene.now)
  const errors = await raw('SELECT error, count(*) AS n FROM notifications GROUP BY error')
  assert.deepEqual(
    errors.map(({ error, n }) => [error, Number(n)]),
    [['Interrupted', 1_200]],
  )
})

test('a day without a delivery is announced once through the project’s other channels', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.addChannel('B')
  await failForADay(scene, 'A')
  const titles: string[] = []
  const retryAt = scene.now + 3_600_000
  for (const slug of ['one', 'two']) {
    await scene.ping(slug, 'fail')
    for (let round = 0; round < 2; round++) {
      for (const message of await scene.claim()) {
        const { notice: sent } = message.parts[0]!
        if (sent?.type === 'notice') titles.push(`${message.channel.name}: ${sent.title}`)
        const failed = { type: 'retry' as const, error: 'away', retryAt, unreachable: notice(slug) }
        await scene.settle(message, message.channel.name === 'A' ? failed : 'sent')
      }
    }
  }
  assert.deepEqual(titles, ['B: one'])
})

test('one delivery probes an unreachable channel, and the others wait for it', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await failForADay(scene, 'A')
  await scene.ping('first', 'fail')
  const [first] = await scene.claim()
  const retryAt = scene.now + 3_600_000
  await scene.settle(first!, { type: 'retry', error: 'away', retryAt, unreachable: notice('A') })
  for (const slug of ['second', 'third', 'fourth']) await scene.ping(slug, 'fail')
  assert.deepEqual(await scene.claim(), [])
  const { waiting } = await scene.store.channels.log(id, 10)
  assert.deepEqual(new Set(waiting.map(({ dueAt }) => dueAt)), new Set([retryAt]))
  scene.now = retryAt
  const [probe, ...others] = await scene.claim()
  assert.deepEqual(others, [])
  assert.deepEqual(await scene.claim('me', { sending: { down: 1, other: 0 } }), [], 'one at a time')
  await scene.settle(probe!, 'sent')
  assert.equal((await scene.claim()).length, 3, 'once one arrived, the others follow')
})

test('a message that its receiver puts off for a day does not put off its unreachable channel', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await failForADay(scene, 'A')
  await scene.ping('over', 'fail')
  await scene.ping('over')
  const rules = { rules: { up: false } }
  for (const day of [1 / 24, 1]) {
    const [probe] = await scene.claim('me', rules)
    const retryAt = scene.now + day * 86_400_000
    await scene.settle(probe!, { type: 'retry', error: 'away', retryAt, unreachable: notice('A') })
    if (day < 1) scene.now = retryAt
  }
  await scene.ping('still', 'fail')
  assert.deepEqual(await scene.claim('me', rules), [])
  scene.now += 3_600_000
  assert.deepEqual(said(await scene.claim('me', rules)), ['A down'])
})

test('the least tried delivery is the probe, so that a refused one blocks no other', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await failForADay(scene, 'A')
  await scene.ping('bad', 'fail')
  const tried: (number | null)[] = []
  for (let round = 0; round < 3; round++) {
    for (const message of await scene.claim('me', { messages: 1 })) {
      tried.push(message.parts[0]!.checkId)
      const retryAt = scene.now + 3_600_000
      await scene.settle(message, { type: 'retry', error: 'away', retryAt, unreachable: notice('A') })
    }
    if (round === 0) for (const slug of ['good', 'other']) await scene.ping(slug, 'fail')
    assert.deepEqual(await scene.claim(), [])
    scene.now += 3_600_000
  }
  assert.equal(new Set(tried).size, 3)
})

test('a receiver that refuses the message of one check does not hold up those of others', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await failForADay(scene, 'A')
  await scene.ping('bad', 'fail')
  const [bad] = await scene.claim()
  const failed = { type: 'retry' as const, error: 'Received status code 404', unreachable: notice('A') }
  await scene.settle(bad!, { ...failed, retryAt: scene.now + 3_600_000, answered: true })
  await scene.ping('good', 'fail')
  const [good, ...others] = await scene.claim()
  assert.deepEqual(others, [])
  assert.notEqual(good!.parts[0]!.checkId, bad!.parts[0]!.checkId)
  await scene.settle(good!, 'sent')
  assert.deepEqual(said(await scene.claim()), ['A down'], 'once one arrived, the other follows')
})

test('a channel with a delivery since then is not unreachable', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.addChannel('B')
  const fail = async (slug: string) => {
    await scene.ping(slug, 'fail')
    const retryAt = scene.now + 200_000_000
    for (const message of await scene.claim()) {
      const failed = { type: 'retry' as const, error: 'away', retryAt, unreachable: notice(slug) }
      await scene.settle(message, message.channel.name === 'A' ? failed : 'sent')
    }
    return (await scene.claim()).map(({ channel }) => channel.name)
  }
  const arrivals = [
    async () => {
      await scene.ping('good', 'fail')
      for (const message of await scene.claim()) await scene.settle(message, 'sent')
    },
    async () => {
      const test = { channelId: id, uuid: 'a', status: 'down' as const, error: '' }
      await scene.store.channels.noteTest({ ...test, startedAt: scene.now, durationMs: 0 })
    },
    async () => await enableAnew(scene, id),
  ]
  for (const [index, arrives] of arrivals.entries()) {
    await failForADay(scene, 'A')
    await arrives()
    assert.deepEqual(await fail(`soon${index}`), [])
    await enableAnew(scene, id)
    for (const message of await scene.claim()) await scene.settle(message, 'sent')
  }
  await failForADay(scene, 'A')
  assert.deepEqual(await fail('late'), ['B'])
})

async function enableAnew({ store, now }: StoreHarness, id: number): Promise<void> {
  await store.channels.setEnabled(id, false, now)
  await store.channels.setEnabled(id, true, now)
}

test('a changed or enabled channel is tried at once with everything that waits', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  const { projectId } = scene
  const mend = [
    () =>
      scene.store.channels.update({ id, projectId, name: 'A', settings: {}, members: [], now: scene.now }),
    () => enableAnew(scene, id),
  ]
  for (const change of mend) {
    await failForADay(scene, 'A')
    for (const slug of ['one', 'two']) await scene.ping(slug, 'fail')
    for (const message of await scene.claim()) {
      const retryAt = scene.now + 3_600_000
      await scene.settle(message, { type: 'retry', error: 'away', retryAt, unreachable: notice('A') })
    }
    assert.deepEqual(await scene.claim(), [])
    await change()
    const messages = await scene.claim()
    assert.equal(messages.length, 2)
    for (const message of messages) await scene.settle(message, 'sent')
    for (const slug of ['one', 'two']) await scene.ping(slug)
    for (const message of await scene.claim()) await scene.settle(message, 'sent')
  }
})

test('a channel shows when it was last used, for how long, and what was wrong', async t => {
  const scene = await StoreHarness.open(t)
  const { uuid } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [first] = await scene.claim()
  await scene.settle(first!, { type: 'retry', error: 'no answer', retryAt: scene.now })
  const failed = await scene.store.channels.find(uuid)
  assert.deepEqual(
    [failed!.lastNotify, failed!.lastDurationMs, failed!.lastError],
    [scene.now, 5, 'no answer'],
  )
  const [second] = await scene.claim()
  await scene.settle(second!, 'sent')
  assert.equal((await scene.store.channels.find(uuid))!.lastError, '')
})

test('a channel is found behind any number of another’s deliveries', async t => {
  const scene = await StoreHarness.open(t)
  const busy = await scene.addChannel('Busy')
  const jobs = Array.from({ length: 300 }, (_, index) => `c${index}`)
  // Creating many checks in one transaction takes long where they are distributed.
  for (const some of chunks(jobs, 50)) {
    await recordPings(
      scene.store,
      some.map(job => scene.arrived(job, 'fail')),
    )
  }
  const late: number[] = []
  for (let index = 0; index < 300; index++) late.push((await scene.addChannel(`Late ${index}`)).id)
  scene.now += 1_000
  await scene.ping('c0')
  await scene.ping('c0', 'fail')
  const seen = new Set<number>()
  let cursor = 0
  for (let look = 0; look < 3; look++) {
    const found = await scene.store.alerts.dueChannels({ now: scene.now, cursor })
    cursor = found.cursor
    for (const { id } of found.channels) seen.add(id)
    assert.ok(found.channels.length <= 512)
  }
  assert.deepEqual(
    [...seen].sort((a, b) => a - b),
    [busy.id, ...late],
  )
})

test('a channel is found at once by a new delivery, or by name, behind many others', async t => {
  const scene = await StoreHarness.open(t)
  for (let index = 0; index < 200; index++) await scene.addChannel(`Busy ${index}`)
  for (let index = 0; index < 2; index++) await scene.ping(`c${index}`, 'fail')
  const middle = await scene.addChannel('Middle')
  scene.now += 1_000
  await scene.ping('c2', 'fail')
  for (let index = 0; index < 290; index++) await scene.addChannel(`Later ${index}`)
  const find = async (also: number[]) => {
    const { channels } = await scene.store.alerts.dueChannels({ now: scene.now, cursor: middle.id, also })
    return channels.some(({ id }) => id === middle.id)
  }
  assert.equal(await find([]), true)
  scene.now += 1_000
  await scene.ping('c3', 'fail')
  assert.equal(await find([middle.id]), true)
  const idle = await scene.addChannel('Idle')
  const { channels } = await scene.store.alerts.dueChannels({ now: scene.now, cursor: 0, also: [idle.id] })
  assert.ok(!channels.some(({ id }) => id === idle.id), 'nothing is due for it')
})

test('two processes do not both probe an unreachable channel', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await failForADay(scene, 'A')
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  const retryAt = scene.now + 3_600_000
  for (const message of await scene.claim())
    await scene.settle(message, { type: 'retry', error: 'away', retryAt, unreachable: notice('A') })
  scene.now = retryAt
  assert.equal((await scene.claim('me')).length, 1)
  assert.deepEqual(await scene.claim('other'), [])
})

test('a delivered test notification makes waiting deliveries due at once', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await failForADay(scene, 'A')
  for (const slug of ['one', 'two']) await scene.ping(slug, 'fail')
  const retryAt = scene.now + 3_600_000
  for (const message of await scene.claim())
    await scene.settle(message, { type: 'retry', error: 'away', retryAt, unreachable: notice('A') })
  const tried = { channelId: id, status: 'down' as const, startedAt: scene.now, durationMs: 5 }
  const { alerts: failed } = await scene.store.channels.noteTest({ ...tried, uuid: 'a', error: 'away' })
  assert.deepEqual([failed, await scene.claim()], [false, []])
  assert.equal((await scene.store.channels.noteTest({ ...tried, uuid: 'b', error: '' })).alerts, true)
  scene.now += 5
  assert.equal((await scene.claim()).length, 2)
})
