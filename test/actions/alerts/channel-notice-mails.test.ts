/** Whom an e-mail about a channel reaches that waits for the mail server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FailingChannel, openFailingChannel, TITLES } from '../../_support/worlds/failing-channel.js'

for (const trouble of ['disabled', 'unreachable'] as const) {
  const changes = {
    removed: ({ store, people, scene }: FailingChannel) =>
      store.projects.removeMember(scene.projectId, people.manager.uuid, scene.now),
    demoted: ({ store, people, scene }: FailingChannel) =>
      store.projects.setMemberRole(scene.projectId, people.manager.uuid, 'member', scene.now),
  }
  for (const [how, change] of Object.entries(changes)) {
    test(`a manager who was ${how} gets no waiting e-mail that a channel is ${trouble}`, async t => {
      const opened = await openFailingChannel(t, { owned: true })
      await opened.fail(trouble)
      await change(opened)
      assert.deepEqual(await opened.mails(), [`owner@example.org: ${TITLES[trouble]}`])
    })
  }

  for (const [to, promoted] of [
    ['member', false],
    ['member', true],
    ['manager', false],
    ['stranger', false],
  ] as const) {
    const former = promoted ? `${to}, promoted since` : to
    test(`a waiting e-mail that a channel is ${trouble} goes to a new owner, once a ${former}`, async t => {
      const { scene, store, people, fail, mails } = await openFailingChannel(t, { owned: true })
      await fail(trouble)
      if (promoted) await store.projects.setMemberRole(scene.projectId, people[to].uuid, 'manager', scene.now)
      await store.people.handProjects(people.owner.id, people[to].id, scene.now)
      assert.equal(await store.people.deleteUser(people.owner.id, scene.now), true)
      const recipients = [...new Set(['manager', to])].sort()
      assert.deepEqual(
        (await mails()).sort(),
        recipients.map(name => `${name}@example.org: ${TITLES[trouble]}`),
      )
    })
  }

  test(`a waiting e-mail that a channel is ${trouble} goes to the member who takes over the project`, async t => {
    const { scene, store, people, fail, mails } = await openFailingChannel(t, { owned: true })
    const { projectId, now } = scene
    await fail(trouble)
    await offer(store, people, projectId, now)
    await store.projects.acceptTransfer(projectId, people.member.id, now)
    assert.deepEqual(
      (await mails()).sort(),
      ['manager', 'member'].map(name => `${name}@example.org: ${TITLES[trouble]}`),
    )
  })

  test(`no e-mail that a channel is ${trouble} is sent about a project that is being deleted`, async t => {
    const { store, people, fail, mails } = await openFailingChannel(t, { owned: true })
    await fail(trouble)
    await store.projects.markForDeletion(people.owner.id)
    assert.deepEqual(await mails(), [])
  })
}

test('a former owner who stays a member keeps the waiting e-mails that members get, too', async t => {
  const { scene, store, people, mails } = await openFailingChannel(t, { owned: true })
  const { projectId, now } = scene
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  const words = { kind: 'notice', subject: 'Over', text: '', html: '', unsubscribeUrl: '' } as const
  const mail = { ...words, limit: { key: 'over', capacity: 1, periodMs: 1 } }
  await scene.settle(message!, { type: 'failed', error: 'Over', mail })
  await offer(store, people, projectId, now)
  await store.projects.acceptTransfer(projectId, people.member.id, now)
  const recipients = ['manager', 'member', 'owner']
  assert.deepEqual(
    (await mails()).sort(),
    recipients.map(name => `${name}@example.org: Over`),
  )
})

async function offer(
  store: FailingChannel['store'],
  { owner, member }: FailingChannel['people'],
  projectId: number,
  now: number,
) {
  await store.people.openSession({
    digest: 'digest',
    userId: owner.id,
    credentialsVersion: 0,
    method: 'password',
    ua: '',
    address: null,
    now,
  })
  const { sessionId } = (await store.people.findSession('digest', now))!
  const by = { userId: owner.id, sessionId }
  await store.projects.offerTransfer({ projectId, memberUuid: member.uuid, by, now })
}
