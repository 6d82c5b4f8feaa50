/** When the link in a message that was sent before no longer acknowledges or silences. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsubscribePath } from '../../../src/actions/channels/unsubscribe.js'
import { incidentPath } from '../../../src/actions/incidents/message-link.js'
import { claimMessages, settleMessage } from '../../_support/claim.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, project, clock, alice } = world

const READER = 'reader@example.org'

async function addChannel(
  kind = 'email',
  given: Record<string, string> = { value: READER },
  members: string[] = [],
) {
  const settings = kind === 'group' ? {} : { ...given, down: 'true', up: 'true' }
  const forAll = kind !== 'group'
  const asked = { projectId: project.id, name: 'Ops', kind, settings, members, forAll, now: clock.now() }
  return (await store.channels.create(asked)).uuid
}

/** A check that is down, a channel that alerts of it, and the links in what that was sent. */
async function alert(name: string, addChannels = addChannel) {
  const uuid = await world.addCheck(name)
  const channel = await addChannels()
  await world.send('GET', `/ping/${uuid}/fail`)
  const id = (await store.incidents.openIncident(uuid))!
  const { openedAt } = await store.incidents.find(project.id, id, clock.now())
  const { SECRET_KEY } = world.config
  const link = async () => incidentPath(SECRET_KEY, (await store.channels.find(channel))!, { id, openedAt })
  return { check: uuid, channel, id, link, links: [await link()] }
}

type Alert = Awaited<ReturnType<typeof alert>>

const found = async ({ channel }: Alert) => (await store.channels.find(channel))!
const press = (path: string, fields: Record<string, string> = {}) =>
  fetch(world.root + path, { method: 'POST', body: new URLSearchParams(fields) })

/** The alert could not be delivered for good, as to a mailbox that does not exist. */
async function disableForFailure(down: Alert): Promise<void> {
  const { id } = await found(down)
  const message = (await claimMessages(store, clock.now())).find(({ channel }) => channel.id === id)!
  const disabled = { type: 'notice' as const, title: 'Disabled', text: '', url: '' }
  await settleMessage(store, message, clock.now(), { type: 'failed', error: 'gone', disabled })
  assert.equal((await found(down)).disabled, true)
}

async function assertEnded({ links, id, check }: Alert, projectId = project.id): Promise<void> {
  for (const link of links) {
    const answers = [await fetch(world.root + link), await press(link), await press(link, { for: '3600' })]
    for (const answer of answers) {
      assert.equal(answer.status, 200)
      assert.match(await answer.text(), /<h1>Incorrect link<\/h1>/)
    }
  }
  assert.equal((await store.incidents.find(project.id, id, clock.now())).acknowledged, null)
  const silences = await store.silences.list(projectId, clock.now())
  assert.ok(!silences.some(({ namedChecks }) => namedChecks?.some(({ uuid }) => uuid === check)))
}

async function assertWorks({ id }: Alert, link: string): Promise<void> {
  assert.match(await (await press(link)).text(), /<h1>Acknowledged<\/h1>/)
  assert.notEqual((await store.incidents.find(project.id, id, clock.now())).acknowledged, null)
}

test('a reader who has unsubscribed acknowledges and silences no more', async () => {
  const down = await alert('Unsubscribed')
  await press(unsubscribePath(world.config.SECRET_KEY, down.channel, READER))
  assert.equal((await found(down)).disabled, true)
  await assertEnded(down)
})

test('a link ends when its integration is disabled by hand, and stays so when that is enabled again', async () => {
  const down = await alert('Disabled')
  await alice.post(`/integrations/${down.channel}/enabled/`, { enabled: 'false' })
  await assertEnded(down)
  await alice.post(`/integrations/${down.channel}/enabled/`, { enabled: 'true' })
  await assertEnded(down)
  await assertWorks(down, await down.link())
})

test('a link ends when its integration is disabled by hand after failures had disabled it', async () => {
  const down = await alert('Disabled twice')
  const { id } = await found(down)
  await disableForFailure(down)
  await store.channels.setEnabled(id, false, clock.now())
  await assertEnded(down)
})

test('a link ends when its integration is deleted', async () => {
  const down = await alert('Deleted')
  await alice.post(`/integrations/${down.channel}/remove/`)
  await assertEnded(down)
})

test('a link ends when the address of its integration becomes that of somebody else', async () => {
  const down = await alert('Other address')
  const edit = { channel_name: 'Ops', value: 'else@example.org', down: 'true', up: 'true' }
  assert.equal((await alice.post(`/integrations/${down.channel}/edit/`, edit)).status, 303)
  await assertEnded(down)
  await alice.post(`/integrations/${down.channel}/edit/`, { ...edit, value: READER })
  await assertEnded(down)
})

test('a link ends when its integration is no longer used for the check', async () => {
  const down = await alert('Detached')
  await alice.post(`/checks/${down.check}/channels/${down.channel}/enabled`, { state: 'off' })
  await assertEnded(down)
  await alice.post(`/checks/${down.check}/channels/${down.channel}/enabled`, { state: 'on' })
  await assertWorks(down, down.links[0]!)
})

test('a link ends when the group through which its integration was used is disabled or loses it', async () => {
  let group = ''
  const down = await alert('In a group', async () => {
    const member = await addChannel()
    group = await addChannel('group', {}, [member])
    return member
  })
  const now = clock.now()
  const ids = { member: (await found(down)).id, group: (await store.channels.find(group))!.id }
  await store.channels.assign({ id: ids.member, projectId: project.id, checks: [], now })
  await store.channels.assign({ id: ids.group, projectId: project.id, checks: [down.check], now })
  assert.match((await world.stranger().get(down.links[0]!)).text, /Acknowledge In a group\?/)
  await store.channels.setEnabled(ids.group, false, now)
  await assertEnded(down)
  await store.channels.setEnabled(ids.group, true, now)
  await store.channels.update({
    id: ids.group,
    projectId: project.id,
    name: 'G',
    settings: {},
    members: [],
    now,
  })
  await assertEnded(down)
})

test('a link does nothing to a check that was moved to another project', async () => {
  const [down, own] = [await alert('Moved'), await world.projectOf(alice, 'Other jobs')]
  const move = { projectId: project.id, uuid: down.check, targetId: own.id, now: clock.now() }
  await store.checks.move(move)
  for (const fields of [{}, { for: '3600' }])
    assert.match(await (await press(down.links[0]!, fields)).text(), /Incorrect link|It is over/)
  assert.deepEqual(await store.silences.list(own.id, clock.now()), [])
  const { incidents } = await store.incidents.list(own.id, {}, { after: null, limit: 9, now: clock.now() })
  assert.deepEqual(
    incidents.map(({ acknowledged }) => acknowledged),
    [null],
  )
})

test('a link goes on working after its integration was renamed, or disabled by failures', async () => {
  const down = await alert('Failing')
  const edit = { channel_name: 'Renamed', value: READER, down: 'true' }
  assert.equal((await alice.post(`/integrations/${down.channel}/edit/`, edit)).status, 303)
  await disableForFailure(down)
  await assertWorks(down, down.links[0]!)
})
