/** The part "Runs and tolerance" of a check's form, and what the pages say of a check that is failing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, store, clock, project } = world
const settingsOf = async (uuid: string) => (await store.checks.facts(project.id, uuid, clock.now())).check
const read = async (path: string) => (await alice.get(path)).text
const list = `/projects/${project.uuid}/checks/`

const form = {
  name: 'Backup',
  kind: 'cron',
  cron: '0 3 * * *',
  grace: '1 hour',
  tz: 'UTC',
  start_within: '5 min',
  max_duration: '4 h',
  min_duration: '30 s',
  track_runs: 'each',
  failures_to_alert: '3',
  failure_window: '10',
  tolerated: 'missed',
  successes_to_recover: '2',
  success_exit_codes: '0, 3',
  early: '2 min',
}
const SENTENCE =
  'Alerts at the first failure, at the third missed run (not started within 5 minutes) among the last 10 results, ' +
  'or when a run takes longer than 4 hours or less than 30 seconds. Every run has its own limit. ' +
  'It is up again at the second success in a row. Exit status 0 or 3 is a success. A ping may come 2 minutes early.'

test('runs and tolerance are set in the form, said in a sentence, and shown as they were saved', async () => {
  const { location } = await alice.post(`${list}add/`, form)
  const uuid = location!.split('/')[2]!
  const saved = await settingsOf(uuid)
  assert.deepEqual(
    [saved.startWithinSeconds, saved.maxDurationSeconds, saved.minDurationSeconds, saved.trackRuns],
    [300, 14_400, 30, 'each'],
  )
  assert.deepEqual(
    [saved.failuresToAlert, saved.failureWindow, saved.tolerated, saved.successesToRecover],
    [3, 10, 'missed', 2],
  )
  assert.deepEqual([saved.successExitCodes, saved.earlySeconds], ['0,3', 120])
  const edit = await read(`/checks/${uuid}/edit/`)
  assert.match(edit, /<details class="disclosure" open=""><summary>Runs and tolerance/)
  assert.match(edit, /name="max_duration" value="4 hours"/)
  assert.ok(wordsOf(edit).includes(SENTENCE))
  assert.ok(wordsOf(await read(`/checks/${uuid}/details/`)).includes(SENTENCE))
})

test('the part is closed while none of its fields is used, and open where one is wrong', async () => {
  const closed = /<details class="disclosure"><summary>Runs and tolerance/
  assert.match(await read(`${list}add/`), closed)
  const uuid = await world.addCheck('Plain')
  assert.match(await read(`/checks/${uuid}/edit/`), closed)
  const { status, text } = await alice.post(`${list}add/`, { ...form, failures_to_alert: 'three' })
  assert.equal(status, 400)
  assert.doesNotMatch(text, closed)
  assert.match(text, /Enter a whole number from 1 to 100\./)
  assert.match(text, /value="three"/)
})

test('counting failures of no kind is an error at its field, in the preview too', async () => {
  const wrong: [object, RegExp][] = [
    [{ tolerated: '' }, /Choose which failures to count, or enter 1\./],
    [{ tolerated: 'too_short', min_duration: '' }, /there is no shortest run/],
  ]
  for (const [changes, error] of wrong) {
    const { status, text } = await alice.post(`${list}add/`, { ...form, ...changes })
    assert.equal(status, 400)
    assert.match(text, error)
    const query = new URLSearchParams({ ...form, ...changes })
    assert.match((await alice.get(`/checks/preview/?${query}`)).text, error)
  }
  const right = { ...form, tolerated: '', failures_to_alert: '1', failure_window: '' }
  assert.equal((await alice.post(`${list}add/`, right)).status, 303)
})

test('a shortest run that is no shorter than the longest is an error at its field', async () => {
  const { status, text } = await alice.post(`${list}add/`, { ...form, min_duration: '4 h' })
  assert.equal(status, 400)
  const error = /id="([^"]*)"[^>]*>The shortest run must be shorter than the longest, 4 hours\./.exec(text)
  const input = /<input[^>]*name="min_duration"[^>]*>/.exec(text)![0]
  assert.ok(input.includes(error![1]!), input)
})

test('a length of time without a unit is an error, so that no seconds are taken for minutes', async () => {
  const { status, text } = await alice.post(`${list}add/`, { ...form, max_duration: '20' })
  assert.equal(status, 400)
  assert.match(text, /Add a unit, such as 20 s or 20 min\./)
})

test('the preview gives the sentence for what was typed, without saving it', async () => {
  const { text } = await alice.get(`/checks/preview/?${new URLSearchParams(form)}`)
  assert.ok(text.includes(`data-alert-words="${SENTENCE}"`))
  assert.match(wordsOf(text), /a failure is counted.*A run may take 4 hours\./s)
})

test('the preview draws by when a run has to start, its limit, and which of the two alerts', async () => {
  const drawn = async (changes: object) => {
    const { text } = await alice.get(`/checks/preview/?${new URLSearchParams({ ...form, ...changes })}`)
    return /class="deadlines"[^>]*aria-label="([^"]*)"/.exec(text)![1]
  }
  assert.equal(await drawn({}), 'ping, then due, then start by: 5 min, counted, then limit: 4 h, alert')
  const short = { tolerated: 'failed', max_duration: '2 min' }
  assert.equal(await drawn(short), 'ping, then due, then limit: 2 min, alert, then start by: 5 min, alert')
  const plain = { track_runs: 'latest', start_within: '', max_duration: '', failures_to_alert: '1' }
  assert.equal(await drawn(plain), 'ping, then due, then late: 1 h, alert')
})

test('a check page gives the sentence for exit statuses alone, and none without a setting', async () => {
  const uuid = await world.addCheck('Restic')
  const page = async () => wordsOf(await read(`/checks/${uuid}/details/`))
  assert.doesNotMatch(await page(), /Alerts at/)
  await store.checks.update(project.id, uuid, { changes: { successExitCodes: '0,3' }, now: clock.now() })
  assert.match(await page(), /Exit status 0 or 3 is a success\./)
})

test('a check that fails and is not down yet says so in the list and on its page', async () => {
  const uuid = await world.addCheck('Flaky')
  await alice.post(`/checks/${uuid}/edit/`, {
    ...form,
    kind: 'simple',
    period: '1 day',
    tolerated: 'failed',
    failure_window: '',
  })
  const row = async () => wordsOf((await read(list)).split(`id="c-${uuid}"`)[1]!.split('</tr>')[0]!)
  const head = async () => wordsOf((await read(`/checks/${uuid}/details/`)).split('id="state"')[1]!)
  await pingCheck(world, uuid, 'success')
  assert.doesNotMatch(await row(), /failing/)
  for (const words of ['failing, 1 of 3', 'failing, 2 of 3']) {
    await pingCheck(world, uuid, 'fail')
    assert.ok((await row()).includes(words))
    assert.ok((await head()).includes(words))
  }
  assert.match(wordsOf(await read(list)), /checks is failing/)
  await pingCheck(world, uuid, 'fail')
  assert.match(await row(), /down for/)
  assert.doesNotMatch(await row(), /failing/)
})

test('a check that did not start within its time says so once it is down', async () => {
  const uuid = await world.addCheck('Not started')
  const changes = { periodSeconds: 3_600, startWithinSeconds: 60 }
  await store.checks.update(project.id, uuid, { changes, now: clock.now() })
  await pingCheck(world, uuid)
  clock.advance(3_600 + 60)
  const words = wordsOf((await read(`/checks/${uuid}/details/`)).split('id="state"')[1]!)
  assert.match(words, /its time to start ended/)
  assert.doesNotMatch(words, /grace ended/)
})

test('a run that was too short is called that, with its duration, on the page and in the logs', async () => {
  const uuid = await world.addCheck('Short')
  await store.checks.update(project.id, uuid, { changes: { minDurationSeconds: 30 }, now: clock.now() })
  await pingCheck(world, uuid, 'success', { exitStatus: 0, durationMs: 10_400 })
  const page = await read(`/checks/${uuid}/details/`)
  const head = wordsOf(page.split('id="state"')[1]!)
  assert.match(head, /A run took 10 s, less than the expected 30 s\./)
  assert.match(wordsOf(page), /Usual duration\s*10 s/)
  assert.match(wordsOf(await read('/projects/')), /A run took less than the expected 30 s\./)
  const logs = [`/checks/${uuid}/log/`, `/projects/${project.uuid}/log/`, `/checks/${uuid}/pings/1/`]
  for (const path of logs) {
    const words = wordsOf(await read(path))
    assert.match(words, /Too short/, path)
    assert.doesNotMatch(words, /Exit status 0/, path)
  }
  assert.match(wordsOf(await read(logs[0]!)), /Too short\s*10 s/)
})

test('a run under way is no end of the schedule, though nothing else is due until it ends', async () => {
  const uuid = await world.addCheck('Under way')
  await store.checks.update(project.id, uuid, { changes: { maxDurationSeconds: 20 }, now: clock.now() })
  await pingCheck(world, uuid)
  await pingCheck(world, uuid, 'start')
  const head = wordsOf((await read(`/checks/${uuid}/details/`)).split('id="state"')[1]!)
  assert.match(head, /Up\.\s+A run started/)
  assert.doesNotMatch(head, /schedule has ended/)
})

test('outsiders, readers and strangers neither see the form nor change what it sets', async () => {
  const uuid = await world.addCheck('Guarded')
  const path = `/checks/${uuid}/edit/`
  const before = await settingsOf(uuid)
  assert.deepEqual([(await world.charlie.get(path)).status, (await world.rita.get(path)).status], [404, 403])
  assert.equal((await world.charlie.post(path, form)).status, 404)
  assert.equal((await world.rita.post(path, form)).status, 403)
  assert.equal((await world.stranger().post(path, form)).status, 302)
  assert.deepEqual(await settingsOf(uuid), before)
  assert.doesNotMatch((await world.rita.get(`/checks/${uuid}/details/`)).text, /\/edit\//)
})
