import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { createMailer } from '../../../src/lib/mail/mailer.js'
import { pingCheck } from '../../_support/ping-check.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const post = await openMailServer({ after } as TestContext)
const world = await openWebWorld({ mailer: createMailer(post.options) })
const { alice, rita, charlie, store, clock } = world

/** A project of Alice's with a new check, and its page in words. */
async function fresh(name: string) {
  const project = await world.projectOf(alice, name)
  const uuid = await world.addCheck(name, project.id)
  const html = async (person: Person = alice) => (await person.get(`/checks/${uuid}/details/`)).text
  const receivers = async () => (await store.channels.list(project.id)).map(({ uuid }) => uuid)
  return { project, uuid, html, receivers, words: async () => wordsOf(await html()) }
}

test('a new check asks what runs the job, and its snippets have its address, schedule and zone', async () => {
  const { project } = await fresh('Zoned')
  const { check } = await store.checks.create(project.id, {
    changes: { schedule: '30 2 * * 1-5', tz: 'Europe/Riga' },
    unique: null,
    now: clock.now(),
  })
  const { text } = await alice.get(`/checks/${check.uuid}/details/`)
  assert.match(wordsOf(text), /What runs the job\?.*Waiting for the first ping.*Who should be alerted\?/s)
  for (const line of [
    `30 2 \\* \\* 1-5 /path/to/job &amp;&amp; curl .*/ping/${check.uuid}`,
    'CRON_TZ=Europe/Riga',
    'OnCalendar=Mon..Fri \\*-\\*-\\* 02:30:00 Europe/Riga',
    'timeZone: &quot;Europe/Riga&quot;',
    'timezone: &quot;Europe/Riga&quot;',
    'Its trigger: At 02:30 .*, Europe/Riga',
  ]) {
    assert.match(text, new RegExp(line), line)
  }
  assert.match(text, /OnCalendar=Mon\.\.Fri/)
})

test('the first ping is shown with where it came from and what is noticeable about it', async () => {
  const { uuid, words } = await fresh('Arrived')
  clock.advance(120)
  await pingCheck(world, uuid, 'start', { remoteAddr: '10.0.3.17', ua: 'curl/8.5.0' })
  assert.match(
    await words(),
    /Received \d\d:\d\d:\d\d from 10\.0\.3\.17\s*, curl 8\.5\s*, 2 min after the check/,
  )
  assert.match(await words(), /The job has started, but not finished/)
  await pingCheck(world, uuid, 'fail', { remoteAddr: '10.0.3.17', ua: 'curl/8.5.0', exitStatus: 2 })
  assert.match(await words(), /The job exited with status 2\s*, so the check is down/)
  assert.doesNotMatch(await words(), /What runs the job\?|not finished/)
})

test('the reader’s own address is added once, however often the form is sent', async () => {
  const { project, uuid, words } = await fresh('Addressed')
  assert.match(await words(), /alice@example\.org/)
  for (let times = 0; times < 2; times++) {
    const { status } = await alice.post(`/checks/${uuid}/setup/receivers/`, { own_address: 'true' })
    assert.equal(status, 303)
    if (times === 0) assert.match(await words(), /Alerts go to\s*alice@example\.org/)
  }
  const [channel, ...others] = await store.channels.list(project.id)
  assert.deepEqual([channel!.kind, channel!.settings.value, others.length], ['email', 'alice@example.org', 0])
  assert.equal(post.mails.length, 0, 'an address that is the account’s own is not asked')
})

test('exactly the ticked integrations are assigned, which can be undone, and those of no other project', async () => {
  const { project, uuid, receivers } = await fresh('Chosen')
  const channel = async (projectId: number) =>
    await store.channels.create({
      projectId,
      name: 'Hook',
      kind: 'webhook',
      settings: {},
      members: [],
      now: clock.now(),
    })
  const [first, second, foreign] = [
    await channel(project.id),
    await channel(project.id),
    await channel(world.charlies.id),
  ]
  const { id } = (await store.people.checkAccess(alice.id, uuid))!.check
  const assigned = async () => (await store.channels.ofCheck(id)).sort()
  assert.deepEqual(await assigned(), (await receivers()).sort())
  await alice.post(`/checks/${uuid}/setup/receivers/`, { channel: [second.uuid, foreign.uuid] })
  assert.deepEqual(await assigned(), [second.uuid])
  const page = await alice.open(`/checks/${uuid}/details/`)
  const [, undo] = /action="([^"]+\/undo\/[^"]+)"/.exec(page.text)!
  await alice.post(undo!)
  assert.deepEqual(await assigned(), [first.uuid, second.uuid].sort())
})

test('a test goes to those that are alerted, and the last step is done when one arrives', async () => {
  const { project, uuid, words } = await fresh('Tested')
  const receiver = await openRecorder({ after } as TestContext, ({ url }) => ({
    status: url === '/broken' ? 500 : 200,
  }))
  for (const path of ['/works', '/broken', '/unused']) {
    const settings = { url_down: receiver.url + path, method_down: 'POST' }
    const now = clock.now()
    const added = { projectId: project.id, name: path, kind: 'webhook', settings, members: [], now }
    const channel = await store.channels.create(added)
    const names = { check: uuid, channel: channel.uuid }
    await store.channels.switchForCheck(project.id, names, path !== '/unused', now)
  }
  await alice.post(`/checks/${uuid}/setup/test/`)
  assert.deepEqual(receiver.requests.map(({ url }) => url).sort(), ['/broken', '/works'])
  assert.match(await words(), /1 of 2 tests were not delivered/)
  assert.match(await words(), /The last message arrived\..*\/broken\s*: not delivered: .*500/s)
})

test('a reader can close the steps of a check, and show them again; other browsers still show them', async () => {
  const { uuid, words } = await fresh('Closed')
  const other = world.stranger()
  for (const [name, value] of alice.cookies) other.cookies.set(name, value)
  await alice.post(`/checks/${uuid}/setup/`, { shown: 'no' })
  assert.doesNotMatch(await words(), /Who should be alerted/)
  assert.match(await words(), /How to ping.*Crontab/s)
  assert.match(wordsOf((await other.get(`/checks/${uuid}/details/`)).text), /Who should be alerted/)
  await alice.post(`/checks/${uuid}/setup/`, { shown: 'yes' })
  assert.match(await words(), /Who should be alerted/)
})

test('a member who may only read is shown how to ping, but no steps; an outsider is shown nothing', async () => {
  const uuid = await world.addCheck('Read')
  const words = wordsOf((await rita.get(`/checks/${uuid}/details/`)).text)
  assert.match(words, /How to ping.*Crontab/s)
  assert.doesNotMatch(words, /Who should be alerted/)
  assert.equal((await rita.post(`/checks/${uuid}/setup/receivers/`, { own_address: 'true' })).status, 403)
  for (const path of ['setup/', 'setup/receivers/', 'setup/test/']) {
    assert.equal((await charlie.post(`/checks/${uuid}/${path}`)).status, 404, path)
  }
})
