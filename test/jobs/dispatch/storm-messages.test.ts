/** What a dispatcher makes of a storm, and who is sent what first where a receiver takes few messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { integrationOf } from '../../../src/integrations/index.js'
import type { Integration } from '../../../src/integrations/integration.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { eventually } from '../../_support/eventually.js'
import { recordPings } from '../../_support/record-pings.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { NoiseHarness } from '../../_support/worlds/noise-harness.js'

const settingsOf = (kind: string, settings: Record<string, string>) =>
  checkSettings(integrationOf(kind) as Integration, settings)

async function addProject(quiet: NoiseHarness, pingKey: string): Promise<number> {
  return (await quiet.scene.store.projects.create({ name: pingKey, ownerId: null, pingKey, now: 1 })).id
}

async function addChannel(
  quiet: NoiseHarness,
  projectId: number,
  kind: string,
  settings: Record<string, string>,
) {
  const channel = { name: kind, kind, settings: settingsOf(kind, settings), members: [], now: 1 }
  return await quiet.scene.store.channels.create({ ...channel, projectId })
}

/** One directly after the other, as a storm of existing checks. */
async function fail(quiet: NoiseHarness, pingKey: string, slugs: string[]): Promise<void> {
  const { store, now } = quiet.scene
  const pingsOf = (action: 'success' | 'fail') =>
    slugs.map(slug => arrivedPing({ pingKey, slug, create: true }, now, { action }))
  await recordPings(store, pingsOf('success'))
  await recordPings(store, pingsOf('fail'))
}

const slugs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `c${from + index}`)

test('alerts to people wait until all checks of a storm are down, and are one message', async t => {
  const chat = await openRecorder(t)
  const hook = await openRecorder(t)
  await NoiseHarness.run(t, async quiet => {
    const { projectId } = quiet.scene
    await addChannel(quiet, projectId, 'mattermost', { url: chat.url })
    await addChannel(quiet, projectId, 'webhook', { url_down: hook.url })
    const dispatcher = quiet.start()
    dispatcher.changes.emit('goingDown', { projects: [projectId] })
    await fail(quiet, 'key', slugs(0, 10))
    dispatcher.wake()
    await eventually(() => hook.requests.length === 10)
    await fail(quiet, 'key', slugs(10, 30))
    dispatcher.wake()
    await eventually(() => hook.requests.length === 30)
    assert.equal(chat.requests.length, 0)
    dispatcher.changes.emit('goingDown', { projects: [] })
    await eventually(() => chat.requests.length === 1)
    assert.match(chat.requests[0]!.body, /30 checks of Alice are DOWN/)
  })
})

test('many chat channels with many alerts are each sent one message', async t => {
  const recorder = await openRecorder(t)
  await NoiseHarness.run(t, async quiet => {
    const channels = 8
    for (let index = 0; index < channels; index++) {
      await addChannel(quiet, quiet.scene.projectId, 'mattermost', { url: `${recorder.url}/${index}` })
    }
    await addChannel(quiet, await addProject(quiet, 'bob'), 'webhook', { url_down: `${recorder.url}/bob` })
    const dispatcher = quiet.start()
    // What reads the database starts with the first alert.
    await fail(quiet, 'bob', ['first'])
    dispatcher.wake()
    await eventually(() => recorder.requests.length === 1)
    // Several transactions record these, and the dispatcher may look between them.
    dispatcher.changes.emit('goingDown', { projects: [quiet.scene.projectId] })
    await fail(quiet, 'key', slugs(0, 300))
    await fail(quiet, 'bob', ['second'])
    dispatcher.changes.emit('goingDown', { projects: [] })
    await eventually(() => recorder.requests.length === channels + 2)
    const after = recorder.requests.slice(1)
    const place = after.findIndex(({ url }) => url === '/bob')
    assert.ok(place <= 2, `his alert came after ${place} others`)
    for (const { url, body } of after) {
      if (url !== '/bob') assert.match(body, /300 checks of Alice are DOWN/)
    }
  })
})

test('a rate-limited receiver takes projects in turn', async t => {
  const recorder = await openRecorder(t)
  await NoiseHarness.run(t, async quiet => {
    const topic = { url: recorder.url, topic: 'ops', priority_down: '3', priority_up: '3' }
    const alice = quiet.scene.projectId
    for (let index = 0; index < 3; index++) await addChannel(quiet, alice, 'ntfy', topic)
    await addChannel(quiet, await addProject(quiet, 'bob'), 'ntfy', topic)
    const dispatcher = quiet.start()
    await fail(quiet, 'key', ['a', 'b'])
    dispatcher.wake()
    await eventually(() => recorder.requests.length === 6)
    await fail(quiet, 'key', ['c'])
    await fail(quiet, 'bob', ['his'])
    dispatcher.wake()
    await eventually(async () => {
      const { channels, next } = await quiet.scene.store.alerts.dueChannels({
        now: quiet.clock.now(),
        cursor: 0,
      })
      return channels.length === 0 && next !== null
    })
    quiet.advance(10_000)
    dispatcher.wake()
    await eventually(() => recorder.requests.length === 7)
    assert.match(recorder.requests[6]!.body, /his/)
  })
})
