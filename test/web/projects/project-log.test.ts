import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DROP_NOTES } from '../../../src/core/alerts/delivery/drop-notes.js'
import { claimMessages, settleMessage } from '../../_support/claim.js'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, rita, charlie, project } = world
const log = `/projects/${project.uuid}/log/`

const ping = (uuid: string, suffix = '') => fetch(`${world.root}/ping/${uuid}${suffix}`)

test('status changes and failures of all checks stand in one log, the newest first', async () => {
  const [backup, report] = [await world.addCheck('Backup'), await world.addCheck('Report')]
  await ping(backup)
  world.clock.advance(60)
  await ping(report, '/2')
  const { text } = await alice.get(log)
  assert.ok(text.indexOf('Went down') < text.indexOf('Came up'), 'newest first')
  assert.match(text, /Exit status 2/)
  assert.ok(!text.includes('/pings/1/">OK'), 'successes are left out unless asked for')
  assert.match((await alice.get(`${log}?kind=success`)).text, /\/pings\/1\/">OK/)
})

test('older pages neither repeat nor lose an event', async () => {
  const check = await world.addCheck('Busy')
  for (let n = 0; n < 230; n++) await ping(check, '/log')
  const seen: string[] = []
  let next: string | null = `${log}?kind=log`
  while (next !== null) {
    const { text } = await alice.get(next)
    seen.push(...[...text.matchAll(/\/pings\/(\d+)\//g)].map(match => match[1]!))
    next = /href="([^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 230 }, (_, index) => String(230 - index)),
  )
})

test('what happened in other projects is not shown', async () => {
  const foreign = await world.addCheck('Charlie’s secret', world.charlies.id)
  await ping(foreign, '/fail')
  assert.ok(!(await alice.get(log)).text.includes('secret'))
})

test('an outsider finds no log, a read-only member does', async () => {
  assert.equal((await charlie.get(log)).status, 404)
  assert.equal((await rita.get(log)).status, 200)
  assert.equal((await world.stranger().get(log)).status, 302)
})

type Outcome = Parameters<typeof settleMessage>[3]

/** Makes an attempt at every delivery that is due, each with this outcome. */
async function attempt(outcome: Outcome | ((channelId: number) => Outcome)): Promise<void> {
  const now = world.clock.now()
  for (const message of await claimMessages(world.store, now)) {
    const one = typeof outcome === 'function' ? outcome(message.channel.id) : outcome
    await settleMessage(world.store, message, now, one)
  }
}

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

test('channels that keep failing take one row for each change, each in a line, however often they were tried', async () => {
  const { id: projectId, uuid: projectUuid } = await world.projectOf(alice, 'Deaf')
  const uuid = await world.addCheck('Deaf', projectId)
  const now = world.clock.now()
  for (const name of ['Pager', 'Bell']) {
    const settings = { url_down: 'x', url_up: 'x' }
    await world.store.channels.create({ projectId, kind: 'webhook', name, settings, members: [], now })
  }
  await ping(uuid, '/fail')
  for (let n = 0; n < 3; n++) {
    await attempt({ type: 'retry', error: 'no answer', retryAt: world.clock.now() + 60_000 })
    world.clock.advance(60)
  }
  const pages = [`/projects/${projectUuid}/log/`, `/checks/${uuid}/log/`]
  for (const path of pages) {
    const words = wordsOf((await alice.get(path)).text)
    assert.match(words, /Pager, 3 attempts, the last at \d\d:\d\d: no answer/)
    assert.match(words, /Bell, 3 attempts, the last at \d\d:\d\d: no answer/)
    assert.equal(words.split(': no answer').length, 3, path)
  }
  const shownOnPhones = (await alice.get(pages[0]!)).text.match(/<td class="log-told">/g)
  assert.equal(shownOnPhones?.length, 1)
  await attempt('sent')
  await ping(uuid)
  await attempt('sent')
  for (const path of pages) {
    const words = wordsOf((await alice.get(path)).text)
    const [recovery, alert] = words.split('Recovery sent')[1]!.split('Alert sent') as [string, string]
    assert.match(recovery, /^Pager, Bell\d\d:\d\d Pager\d\d:\d\d Bell/, path)
    assert.match(
      alert,
      /Pager, 4 attempts, the last at \d\d:\d\d.*Bell, 4 attempts, the last at \d\d:\d\d/,
      path,
    )
    assert.ok(!words.includes('no answer'), path)
  }
})

test('a message that was superseded has as many attempts as were made', async () => {
  for (const attempts of [1, 2]) {
    const { id: projectId, uuid: projectUuid } = await world.projectOf(alice, `Replaced ${attempts}`)
    const uuid = await world.addCheck('Replaced', projectId)
    const settings = { url_down: 'x', url_up: 'x' }
    const now = world.clock.now()
    const asked = { projectId, kind: 'webhook', name: 'Pager', settings, members: [], now }
    const pager = await world.store.channels.create(asked)
    await ping(uuid, '/fail')
    let lastAt = 0
    for (let n = 0; n < attempts; n++) {
      lastAt = world.clock.now()
      await attempt({ type: 'retry', error: 'no answer', retryAt: lastAt + 60_000 })
      world.clock.advance(60)
    }
    world.clock.advance(180)
    await ping(uuid)
    await attempt('sent')
    const made =
      attempts === 1 ? '' : `, 2 attempts, the last at ${new Date(lastAt).toISOString().slice(11, 16)}`
    for (const path of [`/projects/${projectUuid}/log/`, `/checks/${uuid}/log/`]) {
      const words = wordsOf((await alice.get(path)).text)
      assert.match(words, new RegExp(`Alert not sent ?Pager${made}: a newer change replaced it`), path)
    }
    const ofPager = wordsOf((await alice.get(`/integrations/${pager.uuid}/`)).text)
    assert.match(ofPager, /not sent: a newer change replaced it ?–/)
  }
})

test('what several channels were sent is one row that opens; who was not reached stands outside', async () => {
  const { id: projectId, uuid: projectUuid } = await world.projectOf(alice, 'Many')
  const uuid = await world.addCheck('Many', projectId)
  const channels = []
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Deaf']) {
    const settings = { url_down: 'x', url_up: 'x' }
    const asked = { projectId, kind: 'webhook', name, settings, members: [], now: world.clock.now() }
    channels.push(await world.store.channels.create(asked))
  }
  const deaf = channels.at(-1)!.id
  await ping(uuid, '/fail')
  await attempt(id => (id === deaf ? { type: 'failed', error: 'gone' } : 'sent'))
  for (const path of [`/projects/${projectUuid}/log/`, `/checks/${uuid}/log/`]) {
    const { text } = await alice.get(path)
    const [, summary, list, rest] = /<summary>(.*?)<\/summary>(.*?)<\/details>(.*?)<\/(?:td|li)>/s.exec(
      text.slice(text.indexOf('class="sent-fold"')),
    )!
    assert.equal(summary, 'One, Two, Three, 2 more', path)
    assert.match(wordsOf(list!), /\d\d:\d\d One.*Two.*Three.*Four.*Five/)
    assert.match(wordsOf(rest!), /Not delivered to Deaf: gone/)
    assert.equal(text.match(/Alert sent/g)?.length, 1, path)
  }
})

test('what needed no message any more is called not sent, once, with the reason', async () => {
  const { id: projectId, uuid: projectUuid } = await world.projectOf(alice, 'Late')
  const uuid = await world.addCheck('Late', projectId)
  const add = async (name: string) => {
    const settings = { url_down: 'x', url_up: 'x' }
    const asked = { projectId, kind: 'webhook', name, settings, members: [], now: world.clock.now() }
    return await world.store.channels.create(asked)
  }
  const [pager] = [await add('Pager'), await add('Bell')]
  const needless = { type: 'failed', error: DROP_NOTES.held } as const
  await ping(uuid, '/fail')
  await attempt(id => (id === pager.id ? needless : 'sent'))
  world.clock.advance(120)
  await ping(uuid)
  await attempt(needless)
  for (const path of [`/projects/${projectUuid}/log/`, `/checks/${uuid}/log/`]) {
    const { text } = await alice.get(path)
    const words = wordsOf(text)
    assert.match(
      words,
      /Alert sent ?Bell ?Not sent to Pager: the incident was over before the hold ended/,
      path,
    )
    assert.match(
      words,
      /Recovery not sent ?Pager: the down alert was not sent either ?Bell: the incident was over before/,
      path,
    )
    assert.ok(!/Not sent:|not delivered/i.test(words), path)
    assert.ok(!/class="(?:sent-failed|state-bad)"/.test(text.slice(text.indexOf('Recovery not sent'))), path)
  }
})

test('logs spell e-mail as all pages do', async () => {
  const uuid = await world.addCheck('Mailed')
  await pingCheck(world, uuid, 'fail', { scheme: 'email', method: '', ua: 'Email from cron@job.example' })
  for (const path of [log, `/checks/${uuid}/log/`]) {
    assert.match(wordsOf((await alice.get(path)).text), /E-mail from cron@job\.example/, path)
  }
})
