/** The pages of policies: the list, the form, and what deleting one does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, store, clock, project } = world
const HOME = `/projects/${project.uuid}/policies/`

async function channelOf(projectId: number, name: string): Promise<string> {
  const made = { projectId, name, kind: 'webhook', settings: {}, members: [], now: clock.now() }
  return (await store.channels.create(made)).uuid
}
const phone = await channelOf(project.id, 'On-call phone')
const foreign = await channelOf(world.charlies.id, 'Hers')

const typed = {
  name: 'On call',
  'after-0': 'At once',
  'who-0': 'check',
  'after-1': '15 min',
  'who-1': 'named',
  'channel-1': phone,
  repeats: 'true',
  every: '1 h',
  times: '5',
}
const policies = async () => await store.incidents.policies(project.id)
const deleteAll = async () => {
  for (const { id } of await policies()) await store.incidents.deletePolicy(project.id, id, clock.now())
}
const plain = async (name: string, isDefault = false) => {
  const rules = { steps: [{ after: 0, channels: 'check' as const }], repeat: null }
  return (await store.incidents.createPolicy(project.id, { name, isDefault, ...rules, now: clock.now() })).id
}

test('a policy is created from the form, listed with a sentence and a line of time, and changed', async () => {
  assert.match(wordsOf((await rita.get(HOME)).text), /No policies yet/)
  const created = await bob.post(`${HOME}add/`, typed)
  assert.deepEqual([created.status, created.location], [303, HOME])
  const [policy] = await policies()
  const { id, ...rest } = policy!
  const expected = {
    name: 'On call',
    isDefault: false,
    checks: 0,
    steps: [
      { after: 0, channels: 'check' },
      { after: 900, channels: [phone] },
    ],
    repeat: { every: 3600, times: 5 },
  }
  assert.deepEqual(rest, expected)
  const { text } = await rita.get(HOME)
  assert.match(
    wordsOf(text),
    /On call.*No check uses it.*At once: the check’s own integrations\. After 15 minutes, if nobody has acknowledged: On-call phone\. Then all of them every hour, 5 times\./s,
  )
  assert.match(wordsOf(text), /On-call phone\s*After 15 minutes, then every hour, 5 times/)
  assert.equal(text.match(/<svg class="policy-lane"/g)!.length, 2)
  const edit = `${HOME}${id}/edit/`
  const form = (await alice.get(edit)).text
  for (const value of ['On call', 'At once', '15 minutes', '1 hour', '5'])
    assert.match(form, new RegExp(`value="${value}"`))
  assert.match(form, new RegExp(`value="${phone}"[^>]* checked`))
  assert.equal((await alice.post(edit, { ...typed, default: 'true', repeats: [] })).status, 303)
  assert.deepEqual(await policies(), [{ id, ...expected, isDefault: true, repeat: null }])
  await deleteAll()
})

test('each mistake is shown at its field, with what was typed', async () => {
  for (const [changes, message] of [
    [{ name: ' ' }, /Enter a name/],
    [{ 'after-1': '' }, /Enter “at once”, or a length of time/],
    [{ 'after-1': '15' }, /Enter “at once”, or a length of time/],
    [{ 'after-0': '20 min' }, /cannot come before the one above it/],
    [{ 'channel-1': [] }, /Choose the integrations of this step/],
    [{ 'channel-1': foreign }, /not in this project/],
    [{ every: '1 min' }, /Repeat every 5 minutes to 1 week/],
    [{ times: '101' }, /Repeat 1 to 100 times/],
  ] as [Record<string, string | string[]>, RegExp][]) {
    const { status, text } = await alice.post(`${HOME}add/`, { ...typed, ...changes })
    assert.equal(status, 400, JSON.stringify(changes))
    assert.match(wordsOf(text), message)
    assert.match(wordsOf(text), /Not saved: correct the field below\./)
    assert.ok(text.includes(`value="${changes.times ?? '5'}"`))
    assert.match(text, /value="named" checked/)
  }
  await plain('Taken')
  const taken = await alice.post(`${HOME}add/`, { ...typed, name: 'Taken' })
  assert.match(wordsOf(taken.text), /Another policy of the project has this name/)
  assert.equal((await policies()).length, 1)
  await deleteAll()
})

test('steps are added and removed by buttons, which save nothing and keep what was typed', async () => {
  const longer = await alice.post(`${HOME}add/`, { ...typed, name: '', add: '1' })
  assert.equal(longer.status, 200)
  assert.match(wordsOf(longer.text), /Step 3/)
  assert.match(longer.text, /name="after-2"[^>]* autofocus/)
  assert.match(longer.text, /value="15 min"/)
  assert.doesNotMatch(longer.text, /class="error"/)
  const shorter = await alice.post(`${HOME}add/`, { ...typed, remove: '0' })
  assert.doesNotMatch(wordsOf(shorter.text), /Step 2|Remove step/)
  assert.match(shorter.text, /name="after-0"[^>]*/)
  assert.match(shorter.text, /value="15 min"/)
  assert.doesNotMatch(shorter.text, /value="At once"/)
  assert.deepEqual(await policies(), [])
})

test('the form shows who is alerted when without saving, with script and without', async () => {
  const { text } = await alice.post(`${HOME}add/`, { ...typed, preview: '1' })
  assert.match(wordsOf(text), /After 15 minutes, if nobody has acknowledged: On-call phone\./)
  assert.deepEqual(await policies(), [])
  const query = (changes: Record<string, string>) => new URLSearchParams({ ...typed, ...changes })
  const part = await rita.get(`${HOME}preview/?${query({ 'after-1': '2 h' })}`)
  assert.match(wordsOf(part.text), /^At once: the check’s own integrations\. After 2 hours/)
  const wrong = await alice.get(`${HOME}preview/?${query({ 'after-1': 'x' })}`)
  assert.match(wordsOf(wrong.text), /^A preview is shown here once every field is valid/)
  const others = await alice.get(`${HOME}preview/?${query({ 'channel-1': foreign })}`)
  assert.doesNotMatch(others.text, /Hers/)
})

test('the list says how many checks use a policy, and deleting it what becomes of them', async () => {
  const uuid = await world.addCheck('Backup')
  const all = await store.incidents.checksWithoutPolicy(project.id)
  await world.addCheck('Other')
  const named = await plain('Nights')
  await store.checks.update(project.id, uuid, { changes: {}, policy: named, now: clock.now() })
  const ask = async (id: number) => wordsOf((await bob.get(`${HOME}${id}/remove/`)).text)
  assert.match(wordsOf((await rita.get(HOME)).text), /Nights.*Used by 1 check\./s)
  assert.match(await ask(named), /The check that uses it has no policy from then on\. It alerts its own/)
  const byDefault = await plain('Days', true)
  assert.match(
    wordsOf((await rita.get(HOME)).text),
    new RegExp(`Days\\s+Default.*Used by ${all} checks?\\. It applies to`, 's'),
  )
  assert.match(await ask(named), /The check that uses it has the default of the project, “Days”/)
  assert.match(await ask(byDefault), /no policy from then on/)
  assert.match(await ask(await plain('Unused')), /No check uses it/)
  assert.equal((await bob.post(`${HOME}${named}/remove/`)).status, 303)
  assert.deepEqual(
    (await policies()).map(({ name }) => name),
    ['Days', 'Unused'],
  )
  await deleteAll()
})

test('a policy whose integrations were deleted says that it alerts nobody, and its form asks for others', async () => {
  const gone = await channelOf(project.id, 'Gone')
  await alice.post(`${HOME}add/`, { name: 'Old', 'after-0': 'now', 'who-0': 'named', 'channel-0': gone })
  const [policy] = await policies()
  assert.equal((await alice.post(`/integrations/${gone}/remove/`)).status, 303)
  assert.match(
    wordsOf((await rita.get(HOME)).text),
    /No one is alerted: the integrations of its steps were deleted/,
  )
  const edit = `${HOME}${policy!.id}/edit/`
  const saved = await alice.post(edit, { name: 'Old', 'after-0': 'now', 'who-0': 'named' })
  assert.match(wordsOf(saved.text), /Choose the integrations of this step/)
  await deleteAll()
})

test('a read-only member sees policies and has no buttons, and an outsider sees none', async () => {
  const id = await plain('Nights')
  const { text } = await rita.get(HOME)
  assert.match(wordsOf(text), /Nights/)
  assert.doesNotMatch(text, /New policy|\/edit\/|\/remove\//)
  for (const path of ['add/', `${id}/edit/`, `${id}/remove/`]) {
    assert.equal((await rita.get(HOME + path)).status, 403, path)
    assert.equal((await rita.post(HOME + path, typed)).status, 403, path)
    assert.equal((await charlie.get(HOME + path)).status, 404, path)
  }
  assert.equal((await charlie.get(HOME)).status, 404)
  assert.equal((await charlie.get(`${HOME}preview/?after-0=now&who-0=named&channel-0=${phone}`)).status, 404)
  const theirs = `/projects/${world.charlies.uuid}/policies/${id}/`
  for (const path of ['edit/', 'remove/']) {
    assert.equal((await charlie.get(theirs + path)).status, 404, path)
    assert.equal((await charlie.post(theirs + path, typed)).status, 404, path)
  }
  for (const wrong of ['0', 'x', '99999999'])
    assert.equal((await alice.get(`${HOME}${wrong}/edit/`)).status, 404)
  assert.deepEqual(
    (await policies()).map(({ name }) => name),
    ['Nights'],
  )
  await deleteAll()
})
