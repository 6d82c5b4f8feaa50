/** What people are spared, from pings to the mailbox. Real store, real dispatcher, real mail; the clock is the test's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PER_MINUTE } from '../../../src/core/alerts/delivery/allowance.js'
import { STEADY_MS } from '../../../src/core/alerts/delivery/flapping.js'
import { recordPings } from '../../_support/record-pings.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { NoiseHarness } from '../../_support/worlds/noise-harness.js'
import type { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Makes checks fail or recover at once, as a storm does. */
async function storm(
  scene: StoreHarness,
  count: number,
  action: 'fail' | 'success',
  from = 0,
): Promise<void> {
  const pings = Array.from({ length: count }, (_, index) => scene.arrived(`c${from + index}`, action))
  await recordPings(scene.store, pings)
}

test('a single alert is sent at once, on its own', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox()
    const dispatcher = quiet.start()
    await quiet.scene.ping('backup', 'fail')
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects, ['DOWN | backup'])
  })
})

test('a storm and its end are one message each, which names some checks and counts the rest', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox()
    await storm(quiet.scene, 300, 'fail')
    const dispatcher = quiet.start()
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects, ['300 checks of Alice are DOWN'])
    const [mail] = quiet.server.mails
    assert.match(mail!.text, /- c0: DOWN since \d\d:\d\d UTC, failed/)
    assert.match(mail!.text, /and 280 more/)
    quiet.advance(30 * MINUTE)
    // Or it sends what it finds half-way.
    await dispatcher.stop()
    await storm(quiet.scene, 300, 'success')
    await quiet.settled(id, quiet.start())
    assert.deepEqual(quiet.subjects.slice(1), ['300 checks of Alice are UP'])
    const { events, waiting } = await quiet.scene.store.channels.log(id, 1_000)
    assert.deepEqual(waiting, [])
    assert.equal(events.filter(({ error }) => error === '').length, 600)
  })
})

test('a notice behind a storm is sent on its own', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox()
    await storm(quiet.scene, 300, 'fail')
    const pager = await quiet.scene.addChannel('Pager')
    await quiet.scene.ping('other', 'fail')
    const [failing] = (await quiet.scene.claim('other', { messages: 1 })).filter(
      ({ channel }) => channel.id === pager.id,
    )
    const disabled = {
      type: 'notice' as const,
      title: 'Pager was disabled',
      text: 'Its address answers no more.',
      url: 'https://monitor.example/',
    }
    await quiet.scene.settle(failing!, { type: 'failed', error: 'gone', disabled }, 'other')
    await quiet.scene.store.alerts.releaseClaims(['other'], quiet.clock.now())
    const dispatcher = quiet.start()
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.toSorted(), ['301 checks of Alice are DOWN', 'Pager was disabled'])
  })
})

test('a channel is sent five alerts a minute one by one, then the rest combined', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox()
    const dispatcher = quiet.start()
    for (let index = 0; index < MAX_PER_MINUTE + 4; index++) {
      await quiet.scene.ping(`c${index}`, 'fail')
      await quiet.settled(id, dispatcher)
      quiet.advance(1_000)
    }
    assert.equal(quiet.subjects.length, MAX_PER_MINUTE)
    quiet.advance(MINUTE)
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(MAX_PER_MINUTE), ['4 checks of Alice are DOWN'])
  })
})

test('the hourly limit is announced once, and delayed alerts are combined after the hour', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox({ hourly_limit: '3' })
    const dispatcher = quiet.start()
    for (let index = 0; index < 8; index++) {
      await quiet.scene.ping(`c${index}`, 'fail')
      await quiet.settled(id, dispatcher)
      quiet.advance(2 * MINUTE)
    }
    const announced = '3 messages in the last hour: further ones are held until 13:00 UTC'
    assert.deepEqual(quiet.subjects, ['DOWN | c0', 'DOWN | c1', 'DOWN | c2', announced])
    quiet.advance(44 * MINUTE)
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(4), ['5 checks of Alice are DOWN'])
  })
})

test('a down alert is sent at once even if recoveries have used up the minute', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox()
    const dispatcher = quiet.start()
    await storm(quiet.scene, MAX_PER_MINUTE + 3, 'fail')
    await quiet.settled(id, dispatcher)
    quiet.advance(30 * MINUTE)
    for (let index = 0; index < MAX_PER_MINUTE + 3; index++) {
      await quiet.scene.ping(`c${index}`)
      await quiet.settled(id, dispatcher)
    }
    assert.equal(quiet.subjects.length, 1 + MAX_PER_MINUTE)
    await quiet.scene.ping('backup', 'fail')
    // Its recovery is among what waits: that is replaced and keeps nobody waiting.
    await quiet.scene.ping('c7', 'fail')
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(1 + MAX_PER_MINUTE).toSorted(), ['DOWN | backup', 'DOWN | c7'])
    quiet.advance(MINUTE)
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(3 + MAX_PER_MINUTE), ['2 checks of Alice are UP'])
  })
})

test('down alerts have their own hourly limit, which recoveries do not use up', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox({ hourly_limit: '2' })
    const dispatcher = quiet.start()
    await storm(quiet.scene, MAX_PER_MINUTE + 1, 'fail')
    await quiet.settled(id, dispatcher)
    quiet.advance(2 * MINUTE)
    for (const [slug, action] of [
      ['c0', 'success'],
      ['c1', 'success'],
      ['d0', 'fail'],
      ['d1', 'fail'],
    ] as const) {
      await quiet.scene.ping(slug, action)
      await quiet.settled(id, dispatcher)
      quiet.advance(2 * MINUTE)
    }
    assert.deepEqual(quiet.subjects, [
      '6 checks of Alice are DOWN',
      'UP | c0',
      '2 messages in the last hour: recoveries are held until 13:00 UTC',
      'DOWN | d0',
      '2 messages in the last hour: further ones are held until 13:00 UTC',
    ])
    quiet.advance(50 * MINUTE)
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(5), ['1 check of Alice is DOWN, 1 is UP'])
  })
})

test('the end of the hour is given in the time zone of its reader', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox({ hourly_limit: '1' })
    const timezone = 'Asia/Kolkata'
    await quiet.scene.store.people.createUser({
      email: 'alice@example.org',
      passwordHash: null,
      emailProven: true,
      timezone,
      now: 1,
    })
    const dispatcher = quiet.start()
    for (const slug of ['a', 'b']) await quiet.scene.ping(slug, 'fail')
    await quiet.settled(id, dispatcher)
    const announced = '1 message in the last hour: further ones are held until 18:30 UTC+05:30'
    assert.ok(quiet.subjects.includes(announced), quiet.subjects.join('; '))
  })
})

test('a check that is up again after the hour is reported as having been down', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox({ hourly_limit: '1' })
    const dispatcher = quiet.start()
    for (const slug of ['a', 'b', 'c']) await quiet.scene.ping(slug, 'fail')
    await quiet.settled(id, dispatcher)
    quiet.advance(MINUTE)
    await quiet.scene.ping('b', 'success')
    await quiet.settled(id, dispatcher)
    quiet.advance(HOUR)
    await quiet.settled(id, dispatcher)
    const last = quiet.server.mails.at(-1)!
    assert.equal(last.headers.subject, '1 check of Alice is DOWN, 1 is UP')
    assert.match(last.text, /- c: DOWN/)
    assert.match(last.text, /- b: UP .*, was down for 1 minute/)
  })
})

test('a flapping check is reported once, and again when it is stable', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox()
    const dispatcher = quiet.start()
    for (let change = 0; change < 12; change++) {
      await quiet.scene.ping('backup', change % 2 === 0 ? 'fail' : 'success')
      await quiet.settled(id, dispatcher)
      quiet.advance(5 * MINUTE)
    }
    const said = ['DOWN | backup', 'UP | backup', 'DOWN | backup', 'UP | backup', 'DOWN | backup']
    assert.deepEqual(quiet.subjects, [...said, 'backup is flapping: 6 changes in the last hour'])
    const notice = quiet.server.mails.at(-1)!.text
    assert.match(notice, /It is UP now\. The next alert is sent when it has been steady for 15 minutes\./)
    quiet.advance(STEADY_MS)
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(6), ['UP | backup'])
    assert.match(
      quiet.server.mails.at(-1)!.text,
      /The check flapped: 5 changes were held back\. It is steady now\./,
    )
    quiet.advance(HOUR)
    await quiet.scene.ping('backup', 'fail')
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(7), ['DOWN | backup'], 'afterwards it is a check as any other')
  })
})

test('a channel without recoveries is sent that a check is flapping, and stays down', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { id } = await quiet.addMailbox({ up: 'false' })
    const dispatcher = quiet.start()
    for (let change = 0; change < 11; change++) {
      await quiet.scene.ping('backup', change % 2 === 0 ? 'fail' : 'success')
      await quiet.settled(id, dispatcher)
      quiet.advance(4 * MINUTE)
    }
    const before = quiet.subjects.length
    assert.ok(
      quiet.subjects.includes('backup is flapping: 7 changes in the last hour'),
      quiet.subjects.join(', '),
    )
    quiet.advance(STEADY_MS)
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects.slice(before), ['DOWN | backup'])
  })
})

test('a digest that the mail server refused is retried as a whole', async t => {
  let refuse = true
  const server = await openMailServer(t, {
    onMailFrom: (_address, _session, callback) =>
      callback(refuse ? Object.assign(new Error('later'), { responseCode: 451 }) : null),
  })
  const body = async (quiet: NoiseHarness) => {
    const { id } = await quiet.addMailbox()
    await storm(quiet.scene, 20, 'fail')
    const dispatcher = quiet.start()
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.outcomes, ['retry'])
    refuse = false
    quiet.advance(2_000)
    await quiet.settled(id, dispatcher)
    assert.deepEqual(quiet.subjects, ['20 checks of Alice are DOWN'])
    assert.deepEqual(quiet.outcomes, ['retry', 'sent'])
  }
  await NoiseHarness.run(t, body, server)
})
