import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { claimMessages } from '../../_support/claim.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { wordsOf } from '../../_support/words-of.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

test('the page of a check that is down names each integration that was alerted once', async t => {
  const world = await openWebWorld()
  const { store, clock, alice, project } = world
  const { url } = await openRecorder(t)
  const settings = { url_down: url, method_down: 'POST' }
  const made = { projectId: project.id, name: 'Ops chat', kind: 'webhook', settings, members: [] }
  const channel = await store.channels.create({ ...made, now: clock.now() })
  const uuid = await world.addCheck('Backup')
  await store.channels.switchForCheck(project.id, { check: uuid, channel: channel.uuid }, true, clock.now())
  await world.ping({ uuid }, '/fail')
  const [message] = await claimMessages(store, clock.now(), { worker: 'tests' })
  const { signal } = new AbortController()
  await deliver(testDelivery(store, clock), message!, signal, { check() {} })
  const { text } = await alice.get(`/checks/${uuid}/details/`)
  const [head, incidents] = [text.indexOf('id="state"'), text.indexOf('id="check-incidents"')]
  assert.doesNotMatch(wordsOf(text.slice(head, incidents)), /Ops chat/)
  assert.match(wordsOf(text.slice(incidents)), /Alerts nowOps chatsent 12:00/)
})
