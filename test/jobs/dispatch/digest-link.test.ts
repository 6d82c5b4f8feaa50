/** The link in a message about several checks, from pings to the mailbox and back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledgeByLink } from '../../../src/actions/incidents/acknowledge-by-link.js'
import { findByLink, type MessageLink, messagePath } from '../../../src/actions/incidents/message-link.js'
import { silenceByLink } from '../../../src/actions/incidents/silence-by-link.js'
import { NoiseHarness } from '../../_support/worlds/noise-harness.js'

const KEY = 'known to the tests alone'

/** The link with which `root` begins in the newest mail, signed with the key of these tests. */
function linkIn({ server }: NoiseHarness): MessageLink {
  const { text } = server.mails.at(-1)!
  const [, channelUuid, message] =
    /Acknowledge or snooze: \S+\/integrations\/([\w-]+)\/messages\/([\w-]+)\//.exec(text!)!
  const signature = messagePath(KEY, { uuid: channelUuid!, linkVersion: 0 }, message!).split('/').at(-2)!
  return { channelUuid: channelUuid!, about: { message: message! }, signature }
}

/** A mailbox that was sent one message about these checks, which went down together. */
async function sendDigest(quiet: NoiseHarness, slugs: readonly string[]) {
  const { id } = await quiet.addMailbox()
  for (const slug of slugs) await quiet.scene.ping(slug, 'fail')
  const dispatcher = quiet.start()
  await quiet.settled(id, dispatcher)
  const { store } = quiet.scene
  return {
    deps: { store, clock: quiet.clock, secretKeys: [KEY] },
    settle: () => quiet.settled(id, dispatcher),
  }
}

const slugs = Array.from({ length: 12 }, (_, index) => `c${index}`)

test('a message about several checks leads to the incidents of all that are still down', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { deps } = await sendDigest(quiet, slugs)
    assert.deepEqual(quiet.subjects, ['12 checks of Alice are DOWN'])
    const link = linkIn(quiet)
    assert.equal((await findByLink(deps, link))!.incidents.length, 12)
    await quiet.scene.ping('c0')
    const done = (await acknowledgeByLink(deps, link, { note: 'on it' }))!
    assert.equal(done.acknowledged.length, 11)
    const acks = new Set(done.incidents.map(({ acknowledged }) => acknowledged?.by))
    assert.deepEqual([...acks], ['the link in a message to “Mailbox”'])
    assert.deepEqual((await acknowledgeByLink(deps, link))!.acknowledged, [])
  })
})

test('it silences all of them at once, and none that went down otherwise', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { deps } = await sendDigest(quiet, slugs)
    await quiet.scene.ping('later', 'fail')
    const until = quiet.clock.now() + 3_600_000
    assert.equal((await silenceByLink(deps, linkIn(quiet), until))!.silenced, true)
    const [silence, ...others] = await deps.store.silences.list(quiet.scene.projectId, quiet.clock.now())
    assert.equal(others.length, 0)
    assert.equal(silence!.namedChecks!.length, 12)
    assert.ok(!silence!.namedChecks!.some(({ name }) => name === 'later'))
  })
})

test('the link is no other channel’s, and a changed one leads nowhere', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { deps } = await sendDigest(quiet, slugs)
    const link = linkIn(quiet)
    const other = await quiet.addMailbox()
    const wrong: MessageLink[] = [
      { ...link, channelUuid: other.uuid },
      { ...link, signature: `${link.signature.slice(0, -1)}${link.signature.endsWith('A') ? 'Q' : 'A'}` },
      { ...link, about: { message: other.uuid } },
      { ...link, about: { incident: 1 } },
    ]
    for (const changed of wrong) assert.equal(await acknowledgeByLink(deps, changed), null)
    for (const { acknowledged } of (await findByLink(deps, link))!.incidents) assert.equal(acknowledged, null)
  })
})

test('it leads to none of the checks of which its integration no longer alerts', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { deps } = await sendDigest(quiet, slugs)
    const link = linkIn(quiet)
    const { store } = deps
    const { id, projectId } = (await store.channels.find(link.channelUuid))!
    const uuids = (await findByLink(deps, link))!.incidents.map(({ check }) => check.uuid!)
    const [kept, ...others] = uuids
    await store.channels.assign({ id, projectId, checks: [kept!], now: quiet.clock.now() })
    assert.deepEqual(
      (await findByLink(deps, link))!.incidents.map(({ check }) => check.uuid),
      [kept],
    )
    assert.equal((await acknowledgeByLink(deps, link))!.acknowledged.length, 1)
    await store.channels.assign({ id, projectId, checks: [], now: quiet.clock.now() })
    assert.equal(await findByLink(deps, link), null)
    assert.equal(await silenceByLink(deps, link, quiet.clock.now() + 3_600_000), null)
    await store.channels.assign({ id, projectId, checks: others, now: quiet.clock.now() })
    assert.equal((await acknowledgeByLink(deps, link))!.acknowledged.length, 11)
  })
})

test('it ends when its integration is disabled by hand', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { deps } = await sendDigest(quiet, slugs)
    const link = linkIn(quiet)
    const { id } = (await deps.store.channels.find(link.channelUuid))!
    await deps.store.channels.setEnabled(id, false, quiet.clock.now())
    assert.equal(await acknowledgeByLink(deps, link), null)
  })
})

test('a message that only reports recoveries has no link', async t => {
  await NoiseHarness.run(t, async quiet => {
    const { settle } = await sendDigest(quiet, slugs)
    quiet.advance(600_000)
    const { scene } = quiet
    await scene.store.pings.record(slugs.map(slug => scene.arrived(slug)))
    await settle()
    assert.deepEqual(quiet.subjects.slice(1), ['12 checks of Alice are UP'])
    assert.doesNotMatch(quiet.server.mails.at(-1)!.text!, /Acknowledge/)
  })
})
