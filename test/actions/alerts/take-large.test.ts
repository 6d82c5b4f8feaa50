/** A message about many checks is claimed in several transactions, between which its channel may be changed. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type TakeDeps, takeLarge } from '../../../src/actions/alerts/take-messages.js'
import { checkSettings } from '../../../src/integrations/fields.js'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import type { Store } from '../../../src/storage/store.js'
import { settleMessage } from '../../_support/claim.js'
import { recordPings } from '../../_support/record-pings.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'
import { wrapStore } from '../../_support/wrap-store.js'

const settingsOf = (url: string) => checkSettings(mattermost, { url })

/** A chat, and 300 checks that went down; `between` happens before the second transaction of the claim. */
async function openStorm(t: TestContext, between: (store: Store, chat: { id: number }) => Promise<unknown>) {
  const scene = await StoreHarness.open(t)
  const { store, projectId, now } = scene
  const made = { name: 'Chat', kind: 'mattermost', settings: settingsOf('https://old.example/'), members: [] }
  const chat = await store.channels.create({ ...made, projectId, now })
  const pings = Array.from({ length: 300 }, (_, index) => scene.arrived(`c${index}`, 'fail'))
  // A batch has eight seconds, which is too little for all of them on a busy machine.
  await recordPings(store, pings)
  scene.now += 1_000
  let claims = 0
  const wrapped = wrapStore(store, (name, method) => async (...args) => {
    if (name === 'alerts.takeMessages' && ++claims === 2) await between(store, chat)
    return await method(...args)
  })
  const deps: TakeDeps = {
    store: wrapped,
    clock: { now: () => scene.now },
    worker: 'me',
    quotas: { messages: 500, calls: 500 },
    onDelivery() {},
  }
  const [channel] = (await store.alerts.dueChannels({ now: scene.now, cursor: 0 })).channels
  const wanted = { channel: channel!, messages: 5, sending: { down: 0, other: 0 } }
  const take = async () =>
    await takeLarge(
      deps,
      wanted,
      { leaseMs: 60_000, inHand: [], leftOut: [], endedBefore: Number.POSITIVE_INFINITY },
      () => true,
    )
  return { scene, take }
}

test('a message about many checks is one, in however many transactions it is claimed', async t => {
  const { take } = await openStorm(t, async () => {})
  assert.deepEqual(
    (await take()).messages.map(({ parts }) => parts.length),
    [300],
  )
})

test('what is claimed after a channel got another address is sent there, and nothing is left out', async t => {
  const { scene, take } = await openStorm(t, async (store, { id }) => {
    const settings = settingsOf('https://new.example/')
    const changed = { id, projectId: scene.projectId, name: 'Chat', settings, members: [], redirected: true }
    await store.channels.update({ ...changed, now: scene.now })
  })
  const reached = new Map<string, Set<number>>()
  for (let round = 0; round < 4; round++) {
    for (const message of (await take()).messages) {
      const url = message.channel.settings.url!
      const checks = reached.get(url) ?? new Set()
      for (const { checkId } of message.parts) checks.add(checkId!)
      reached.set(url, checks)
      await settleMessage(scene.store, message, scene.now, 'sent')
    }
  }
  assert.equal(reached.get('https://new.example/')?.size, 300)
})
