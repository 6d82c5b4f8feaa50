/** The choice of channels in a check's form: who is alerted when it is created, and after it was edited. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, rita, charlie, store, clock } = world
const form = { name: 'Backup', kind: 'simple', period: '1 day', grace: '1 hour' }

async function channelOf(projectId: number, name: string): Promise<string> {
  const made = { projectId, name, kind: 'webhook', settings: {}, members: [], now: clock.now() }
  return (await store.channels.create(made)).uuid
}

async function projectWith(...names: string[]) {
  const project = await world.projectOf(alice, names.join(' '))
  const channels: string[] = []
  for (const name of names) channels.push(await channelOf(project.id, name))
  const channelsOf = async (check: string) =>
    (await store.checks.withChannels(project.id, { uuid: check }, clock.now())).channels
  return { project, channels, channelsOf, addPath: `/projects/${project.uuid}/checks/add/` }
}

const choosing = (offered: string[], channel: string[]) => ({
  ...form,
  choose_channels: '1',
  offered_channel: offered,
  channel,
})

test('a new check gets the integrations that are ticked, and all of them by default', async () => {
  const { channels, channelsOf, addPath } = await projectWith('Mail', 'Pager')
  const [mail, pager] = channels as [string, string]
  const { text } = await alice.get(addPath)
  assert.equal(text.match(/name="channel" checked/g)?.length, 2)
  const { location } = await alice.post(addPath, choosing(channels, [pager]))
  const check = location!.split('/')[2]!
  assert.deepEqual(await channelsOf(check), [pager])
  const edit = (await alice.get(`/checks/${check}/edit/`)).text
  assert.match(edit, new RegExp(`value="${pager}" name="channel" checked`))
  assert.doesNotMatch(edit, new RegExp(`value="${mail}" name="channel" checked`))
})

test('an edit changes only the integrations that the form offered', async () => {
  const { project, channels, channelsOf, addPath } = await projectWith('First', 'Second')
  const [first, second] = channels as [string, string]
  const { location } = await alice.post(addPath, choosing(channels, channels))
  const check = location!.split('/')[2]!
  const later = await channelOf(project.id, 'Added while the form was open')
  await store.channels.switchForCheck(project.id, { check, channel: later }, true, clock.now())
  const sent = choosing(channels, [first])
  assert.equal((await rita.post(`/checks/${check}/edit/`, sent)).status, 404, 'not a member of this project')
  assert.equal((await charlie.post(`/checks/${check}/edit/`, sent)).status, 404)
  assert.deepEqual((await channelsOf(check)).sort(), [first, second, later].sort())
  assert.equal((await alice.post(`/checks/${check}/edit/`, sent)).status, 303)
  assert.deepEqual((await channelsOf(check)).sort(), [first, later].sort())
  await alice.post(`/checks/${check}/edit/`, form)
  assert.deepEqual((await channelsOf(check)).sort(), [first, later].sort(), 'without the choice they stay')
})

test('a channel of another project is not taken from the form', async () => {
  const { channels, channelsOf, addPath } = await projectWith('Own')
  const foreign = await channelOf(world.charlies.id, 'Hers')
  const all = [...channels, foreign]
  const { location } = await alice.post(addPath, choosing(all, all))
  assert.deepEqual(await channelsOf(location!.split('/')[2]!), channels)
})

test('the form says where nobody is alerted, and which integration does not work', async () => {
  const empty = await world.projectOf(alice, 'Silent')
  const words = wordsOf((await alice.get(`/projects/${empty.uuid}/checks/add/`)).text)
  assert.match(words, /No one is alerted when this check goes down: the project has no integration\./)
  const { channels, addPath } = await projectWith('Broken')
  const { id } = (await store.channels.find(channels[0]!))!
  await store.channels.setEnabled(id, false, clock.now())
  assert.match(wordsOf((await alice.get(addPath)).text), /Not working: it is disabled/)
})

test('a preset is applied without a script, and keeps everything else that was typed', async () => {
  const { channels, addPath } = await projectWith('Kept', 'Left out')
  const sent = { ...choosing(channels, [channels[0]!]), kind: 'cron', preset: 'cron 0 9 * * 1-5' }
  const { status, text } = await alice.post(addPath, sent)
  assert.equal(status, 200)
  assert.match(text, /name="cron" value="0 9 \* \* 1-5"/)
  assert.match(wordsOf(text), /At 09:00 on weekdays/)
  assert.equal(text.match(/name="channel" checked/g)?.length, 1)
  assert.equal((await alice.post(addPath, { ...sent, preset: 'toString x' })).status, 400)
})
