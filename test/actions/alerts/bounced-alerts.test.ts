/** Alerts that a mail server accepts and returns count as refused. Decision 0159. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DENIED, MINUTE_MS, openBouncingMail, UNKNOWN } from '../../_support/worlds/bouncing-mail.js'

test('an alert that bounces is sent again until it arrives, and so is the recovery', async t => {
  const { scene, server, accepted, passMinutes, channel } = await openBouncingMail(t)
  await scene.ping('backup', 'fail')
  for (const [report, subject] of [
    [UNKNOWN, 'DOWN | backup'],
    [DENIED, 'UP | backup'],
  ] as const) {
    server.returns = report
    accepted.length = 0
    await passMinutes(5)
    const tries = accepted.length
    assert.ok(tries > 1)
    server.returns = null
    await passMinutes(60)
    assert.deepEqual(accepted, Array(tries + 1).fill(subject))
    const { disabled, lastError } = await channel()
    assert.deepEqual({ disabled, lastError }, { disabled: false, lastError: '' })
    await scene.ping('backup', 'success')
  }
})

test('a channel all of whose e-mails come back is disabled after an hour if nobody has its address', async t => {
  const { scene, store, server, events, accepted, passMinutes, channel, id } = await openBouncingMail(t)
  await scene.ping('backup', 'fail')
  await passMinutes(59)
  assert.equal((await channel()).disabled, false)
  await passMinutes(31)
  const { disabled, lastError } = await channel()
  assert.deepEqual([disabled, lastError], [true, 'Delivery failed (550 5.1.1 User unknown)'])
  assert.deepEqual(new Set(events.slice(0, -1).map(({ outcome }) => outcome)), new Set(['retry']))
  const { outcome, kind, error } = events.at(-1)!
  assert.deepEqual({ outcome, kind, error }, { outcome: 'disable', kind: 'email', error: lastError })
  server.returns = null
  accepted.length = 0
  await passMinutes(60)
  assert.deepEqual(accepted, [])
  scene.now += 1
  await store.channels.setEnabled(id, true, scene.now)
  await passMinutes(0)
  assert.deepEqual(accepted, ['DOWN | backup'])
})

test('a channel whose e-mails come back for another reason stays enabled, and people are told after a day', async t => {
  const { scene, server, events, accepted, passMinutes, channel } = await openBouncingMail(t)
  server.returns = DENIED
  await scene.ping('backup', 'fail')
  await passMinutes(23 * 60)
  assert.equal(
    events.some(({ unreachable }) => unreachable),
    false,
  )
  await passMinutes(2 * 60)
  assert.equal(events.filter(({ unreachable }) => unreachable).length, 1)
  assert.equal((await channel()).disabled, false)
  server.returns = null
  accepted.length = 0
  await passMinutes(60)
  assert.deepEqual(accepted, ['DOWN | backup'])
})

test('the hour begins anew if an e-mail in between did not come back', async t => {
  const { scene, server, passMinutes, channel } = await openBouncingMail(t)
  await scene.ping('backup', 'fail')
  await passMinutes(30)
  server.returns = null
  await scene.ping('other', 'fail')
  await passMinutes(31)
  server.returns = UNKNOWN
  for (const slug of ['a', 'b']) {
    await scene.ping(slug, 'fail')
    await passMinutes(15)
  }
  assert.equal((await channel()).disabled, false)
  await passMinutes(60)
  assert.equal((await channel()).disabled, true)
})

test('an e-mail that comes back before its attempt has ended is sent again', async t => {
  const { scene, server, accepted, passMinutes } = await openBouncingMail(t)
  server.inTime = true
  await scene.ping('backup', 'fail')
  await passMinutes(1)
  assert.ok(accepted.length > 1)
  server.returns = null
  await passMinutes(30)
  const tries = accepted.length
  await passMinutes(60)
  assert.equal(accepted.length, tries)
})

test('a bounce that is reported twice counts once', async t => {
  const { scene, server, events, accepted, bounce, tokens, pass } = await openBouncingMail(t)
  server.returns = null
  await scene.ping('backup', 'fail')
  server.afterMs = 2 * 3_600_000
  await pass()
  const known = [...tokens]
  assert.equal(await bounce(known[0]!, UNKNOWN), '')
  scene.now += MINUTE_MS
  await pass()
  assert.deepEqual(accepted, ['DOWN | backup', 'DOWN | backup'])
  assert.equal(await bounce(known[0]!, UNKNOWN), '')
  scene.now += MINUTE_MS
  await pass()
  assert.equal(accepted.length, 2)
  assert.equal(events.length, 1)
})

test('a channel whose e-mails come back later is in trouble until one does not', async t => {
  const { scene, store, server, passMinutes, channel } = await openBouncingMail(t)
  server.returns = DENIED
  server.afterMs = 10 * MINUTE_MS
  await scene.ping('backup', 'fail')
  await passMinutes(25 * 60)
  const { uuid, projectId } = await channel()
  const states = async () => [
    await store.channels.isInTrouble({ channel: uuid, trouble: 'unreachable' }, scene.now),
    (await store.reports.troubledChannels(projectId, scene.now)).length === 1,
  ]
  // Whether an e-mail has just been accepted or come back.
  for (let minute = 0; minute < 120; minute += 5) {
    assert.deepEqual(await states(), [true, true])
    await passMinutes(5)
  }
  server.returns = null
  await passMinutes(130)
  assert.deepEqual(await states(), [false, false])
})

test('e-mails that come back when others have arrived since do not disable a channel', async t => {
  const { scene, server, accepted, passMinutes, channel, tokens, bounce } = await openBouncingMail(t)
  server.afterMs = 48 * 3_600_000
  for (const kind of ['fail', 'success'] as const)
    for (const slug of ['a', 'b']) {
      await scene.ping(slug, kind)
      await passMinutes(1)
    }
  assert.equal(accepted.length, 4)
  await passMinutes(6 * 60)
  await bounce(tokens[0]!, UNKNOWN)
  await passMinutes(65)
  await bounce(tokens[1]!, UNKNOWN)
  await passMinutes(1)
  assert.equal((await channel()).disabled, false)
  assert.equal(accepted.length, 4, 'the recoveries arrived')
})
