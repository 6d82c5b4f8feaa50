/** E-mails about a channel to people who may not get any yet, or from an installation that cannot send any yet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type FailingChannel,
  failAgain,
  HOUR_MS,
  openFailingChannel,
  TITLES,
} from '../../_support/worlds/failing-channel.js'

/** Adds a manager with an unproven address. */
async function addUnproven({ store, scene }: FailingChannel) {
  const email = 'unproven@example.org'
  const { id } = await store.people.createUser({ email, passwordHash: null, emailProven: false, now: 1 })
  await store.projects.putMember({ projectId: scene.projectId, userId: id, role: 'manager', now: 1 })
  return { prove: () => store.people.handOverAccount({ userId: id, email, now: scene.now }) }
}

for (const trouble of ['disabled', 'unreachable'] as const) {
  const mailTo = (name: string) => `${name}@example.org: ${TITLES[trouble]}`

  test(`a manager gets the e-mail that a channel is ${trouble} once their address is proven`, async t => {
    const opened = await openFailingChannel(t)
    const { scene, fail, mails } = opened
    const { prove } = await addUnproven(opened)
    await fail(trouble)
    assert.deepEqual(await mails(), [mailTo('manager')])
    for (let day = 0; day < 3; day++) {
      scene.now += 24 * HOUR_MS
      assert.deepEqual(await mails(), [mailTo('manager')], 'nobody settles it in this test')
    }
    await prove()
    scene.now += HOUR_MS
    assert.deepEqual(await mails(), [mailTo('manager'), mailTo('unproven')])
  })

  test(`a manager gets the e-mail that a channel is ${trouble} once their account is enabled`, async t => {
    const { scene, store, people, fail, mails } = await openFailingChannel(t)
    await store.people.setDisabled(people.manager.id, scene.now)
    await fail(trouble)
    assert.deepEqual(await mails(), [])
    await store.people.setDisabled(people.manager.id, null)
    scene.now += HOUR_MS
    assert.deepEqual(await mails(), [mailTo('manager')])
  })

  test(`a manager whose address is proven too late gets no e-mail that a channel was ${trouble}`, async t => {
    const opened = await openFailingChannel(t)
    const { scene, store, a, fail, mails } = opened
    const { prove } = await addUnproven(opened)
    await fail(trouble)
    await mails()
    await store.channels.setEnabled(a.id, false, scene.now)
    await store.channels.setEnabled(a.id, true, scene.now)
    scene.now += HOUR_MS
    assert.deepEqual(await mails(), [])
    assert.equal((await store.instance.state(scene.now)).mails, 0)
    await prove()
    assert.deepEqual(await mails(), [])
  })

  test(`an e-mail that a channel is ${trouble} waits for a mail server to be set up`, async t => {
    const { fail, mails } = await openFailingChannel(t, { sendsMail: false })
    await fail(trouble)
    assert.deepEqual(await mails(), [mailTo('manager')])
  })

  test(`a group is sent no notice that a channel is ${trouble}`, async t => {
    const { scene, add, fail } = await openFailingChannel(t)
    const b = await add('mattermost', { url: 'https://chat.example' })
    await scene.addChannel('C', {}, [b.uuid])
    const notices = await fail(trouble)
    assert.deepEqual(
      notices.map(({ channel }) => channel.name),
      ['B'],
    )
  })
}

test('without a mail server, only the newest e-mail about a channel waits', async t => {
  const opened = await openFailingChannel(t, { sendsMail: false })
  const { scene, store, fail } = opened
  await fail('disabled')
  for (let times = 0; times < 3; times++) await failAgain(opened)
  assert.equal((await store.instance.state(scene.now)).mails, 1)
})

test('e-mails to people who may not get any yet do not count as waiting for the mail server', async t => {
  const { scene, store, people, fail } = await openFailingChannel(t)
  await store.people.setDisabled(people.manager.id, scene.now)
  await fail('disabled')
  const { mails, oldestMail } = await store.instance.state(scene.now)
  assert.deepEqual([mails, oldestMail], [0, null])
})
