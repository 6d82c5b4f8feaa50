/** Editing many checks together: the form, the preview, one transaction, and the undo. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carryOutLater } from '../../_support/carry-out.js'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

type Fields = Record<string, string | string[]>

const world = await openWebWorld({ store: { checkLimit: 4_000 } })
const { alice, bob, rita, charlie, store, clock } = world

async function ownProject(name: string, ...checks: string[]) {
  const project = await world.projectOf(alice, name)
  const uuids: string[] = []
  for (const check of checks) uuids.push(await world.addCheck(check, project.id))
  return { ...project, uuids, path: `/projects/${project.uuid}/checks/` }
}
const factsOf = async (projectId: number, uuid: string) =>
  (await store.checks.facts(projectId, uuid, clock.now())).check
const channel = async (projectId: number, name: string) => {
  const made = { projectId, name, kind: 'webhook', settings: {}, members: [], now: clock.now() }
  return (await store.channels.create(made)).uuid
}
const policy = async (projectId: number, name: string, channels: 'check' | string[] = 'check') => {
  const rules = { steps: [{ after: 0, channels }], repeat: null, isDefault: false }
  return (await store.incidents.createPolicy(projectId, { name, ...rules, now: clock.now() })).id
}
const linked = async (projectId: number, uuid: string) =>
  (await store.checks.withChannels(projectId, { uuid }, clock.now())).channels

/** The words and the hidden fields of a page with the form. */
function seen({ status, text }: { status: number; text: string }) {
  const rows = [...text.matchAll(/<tr><td class="edit-name">(.*?)<\/tr>/gs)]
  return {
    status,
    words: wordsOf(text),
    summary: /id="edit-summary"[^>]*>(.*?)</.exec(text)?.[1],
    rows: rows.map(([, row]) =>
      wordsOf(row!.replace(/<\/(td|div)>/g, ' '))
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    hidden: {
      check: [...text.matchAll(/name="check" value="([^"]+)"/g)].map(([, value]) => value!),
      shown: /name="shown" value="([^"]+)"/.exec(text)?.[1] ?? '',
    },
  }
}

const post = async (person: Person, list: string, fields: Fields) =>
  await person.post(`${list}bulk/edit/`, fields)
const preview = async (person: Person, list: string, check: string[], fields: Fields) =>
  seen(await post(person, list, { check, preview: '1', ...fields }))
const apply = async (person: Person, list: string, shown: ReturnType<typeof seen>, fields: Fields) =>
  await post(person, list, { ...shown.hidden, apply: '1', ...fields })

/** The message of the next page, and where its button leads. */
async function message(path: string, person = alice): Promise<{ text: string; undo: string }> {
  const { text } = await person.get(path)
  const [, part = ''] = /<div role="status" id="flash">(.*?)<\/div><\/div>/s.exec(text) ?? []
  return { text: /<p>(.*?)<\/p>/.exec(part)?.[1] ?? '', undo: /action="([^"]+)"/.exec(part)?.[1] ?? '' }
}

/** Previews and applies a change, and returns the message. */
async function change(path: string, check: string[], fields: Fields, person = alice) {
  const done = await apply(person, path, await preview(person, path, check, fields), fields)
  assert.deepEqual([done.status, done.location], [303, path])
  return await message(path, person)
}

const NIGHTLY = { part: 'schedule', kind: 'cron', cron: '0 3 * * *' }

test('ten checks get a schedule: each is shown before and after, then all change and that is undone', async () => {
  const names = Array.from({ length: 10 }, (_, i) => `Job ${i}`)
  const { id, path, uuids } = await ownProject('Ten', ...names)
  await pingCheck(world, uuids[0]!)
  const opened = seen(await post(alice, path, { check: uuids }))
  assert.match(opened.words, /Edit 10 checks/)
  assert.match(opened.words, /Choose what to change\. Nothing changes before you apply it\./)
  const shown = await preview(alice, path, uuids, NIGHTLY)
  assert.equal(shown.summary, '10 checks change.')
  assert.equal(shown.rows.length, 10)
  assert.match(shown.rows[0]!, /^Job 0 Schedule Every day →becomes Daily at 03:00 .* →becomes .*03:00$/)
  assert.equal((await factsOf(id, uuids[0]!)).kind, 'simple', 'a preview changes nothing')
  await apply(alice, path, shown, NIGHTLY)
  const { text, undo } = await message(path)
  assert.equal(text, 'Changed 10 checks.')
  for (const uuid of uuids) {
    const { kind, schedule } = await factsOf(id, uuid)
    assert.deepEqual([kind, schedule], ['cron', '0 3 * * *'])
  }
  const { dueAt } = await factsOf(id, uuids[0]!)
  assert.equal(new Date(dueAt!).getUTCHours(), 3)
  await alice.post(undo)
  assert.equal((await message(path)).text, 'Undone.')
  const after = await factsOf(id, uuids[0]!)
  assert.deepEqual(
    [after.kind, after.periodSeconds, after.dueAt],
    ['simple', 86_400, clock.now() + 86_400_000],
  )
})

test('the form begins with the kind of schedule that most of the checks have', async () => {
  const { path, uuids } = await ownProject('Kinds', 'One', 'Two', 'Three')
  const chosenKind = async (check: string[], fields: Fields = {}) => {
    const { text } = await post(alice, path, { check, ...fields })
    const radios = text.match(/<input[^>]*name="kind"[^>]*>/g)!
    return radios.filter(radio => / checked/.test(radio)).map(radio => /value="(\w+)"/.exec(radio)![1])
  }
  assert.deepEqual(await chosenKind(uuids), ['simple'])
  await change(path, uuids.slice(1), NIGHTLY)
  assert.deepEqual(await chosenKind(uuids), ['cron'])
  assert.deepEqual(await chosenKind(uuids.slice(0, 1)), ['simple'])
  assert.deepEqual(
    await chosenKind(uuids, { kind: 'simple', preview: '1' }),
    ['simple'],
    'the choice of a person stays',
  )
})

test('wrong values are explained at their fields, and nothing is written', async () => {
  const { id, path, uuids } = await ownProject('Wrong', 'One')
  const fields = {
    part: ['schedule', 'grace', 'zone', 'tags', 'project'],
    kind: 'cron',
    cron: '61 3 * * *',
    grace: '5',
    tz: 'Mars/Base',
    tags: ' ',
    project: world.charlies.uuid,
  }
  const shown = await preview(alice, path, uuids, fields)
  assert.deepEqual([shown.status, shown.summary], [200, 'Correct the 5 fields below.'])
  assert.match(shown.words, /Add a unit, such as 5 s or 5 min\./)
  assert.match(shown.words, /Not a known time zone/)
  assert.match(shown.words, /Enter at least one tag\./)
  assert.match(shown.words, /Choose a project in which you may change checks\./)
  assert.equal((await apply(alice, path, shown, fields)).status, 400)
  assert.equal((await factsOf(id, uuids[0]!)).kind, 'simple')
})

test('a check that cannot change says why and stays, while the others change', async () => {
  const { id, path, uuids } = await ownProject('Zones', 'Period', 'Cron')
  await store.checks.update(id, uuids[1]!, { changes: { schedule: '0 9 * * *' }, now: clock.now() })
  const fields = { part: 'zone', tz: 'Europe/Riga' }
  const shown = await preview(alice, path, uuids, fields)
  assert.equal(shown.summary, '1 check changes; 1 cannot and stays as it is.')
  assert.deepEqual(shown.rows[0], 'Period A period has no time zone. –')
  assert.match(shown.rows[1]!, /^Cron Time zone UTC →becomes Europe\/Riga .*09:00 →becomes .*07:00$/)
  assert.equal((await change(path, uuids, fields)).text, 'Changed 1 check.')
  assert.deepEqual(
    [(await factsOf(id, uuids[0]!)).tz, (await factsOf(id, uuids[1]!)).tz],
    ['UTC', 'Europe/Riga'],
  )
})

test('a shorter grace that takes a check down says so', async () => {
  const { path, uuids } = await ownProject('Late', 'Late')
  await pingCheck(world, uuids[0]!)
  clock.advance(86_400 + 1_800)
  const shown = await preview(alice, path, uuids, { part: 'grace', grace: '5 min' })
  assert.match(shown.rows[0]!, /Grace 1 hour →becomes 5 minutes .*goes down at once/)
  assert.equal(shown.summary, '1 check changes; 1 goes down at once.')
})

test('tags and integrations are added, removed and replaced, and undone', async () => {
  const { id, path, uuids } = await ownProject('Sets', 'One', 'Two')
  const [pager, mail] = [await channel(id, 'Pager'), await channel(id, 'Mail')]
  const ways = async (way: string, tags: string, channels: string) =>
    await change(path, uuids, { part: ['tags', 'channels'], tagsWay: way, tags, channelsWay: way, channels })
  await ways('add', 'prod eu', pager)
  assert.equal((await factsOf(id, uuids[0]!)).tags, 'prod eu')
  await ways('remove', 'prod', pager)
  assert.equal((await factsOf(id, uuids[1]!)).tags, 'eu')
  assert.deepEqual(await linked(id, uuids[1]!), [mail])
  const { text, undo } = await ways('only', 'us', pager)
  assert.equal(text, 'Changed 2 checks.')
  assert.deepEqual(await linked(id, uuids[0]!), [pager])
  await alice.post(undo)
  assert.deepEqual(await linked(id, uuids[0]!), [mail])
  assert.equal((await factsOf(id, uuids[0]!)).tags, 'eu')
})

test('a policy is chosen for many, an open incident follows it, and that of another project is refused', async () => {
  const one = await ownProject('First', 'Down', 'Quiet')
  const two = await ownProject('Second', 'Other')
  const phone = await channel(one.id, 'Phone')
  await store.channels.switchForChecks(one.id, { checks: one.uuids, channel: phone }, false, clock.now())
  const id = await policy(one.id, 'On call', [phone])
  await pingCheck(world, one.uuids[0]!, 'fail')
  const all = [...one.uuids, ...two.uuids]
  const fields = { part: 'policy', policy: String(id) }
  const shown = await preview(alice, '/checks/', all, fields)
  assert.equal(shown.summary, '2 checks change; 1 cannot and stays as it is.')
  assert.match(shown.rows[0]!, /^Other ?Second Its project has no such policy\./)
  const { text, undo } = await change('/checks/', all, fields)
  assert.equal(text, 'Changed 2 checks.')
  assert.equal(await store.incidents.policyOf(one.uuids[1]!), id)
  assert.equal(await store.incidents.policyOf(two.uuids[0]!), null)
  const { looked } = await store.incidents.escalate(clock.now(), 100)
  assert.equal(looked, 1, 'the phone is alerted about the open incident')
  await alice.post(undo)
  assert.equal(await store.incidents.policyOf(one.uuids[1]!), null)
})

test('a check that somebody else changes or deletes in between stops the change, and is named', async () => {
  const { id, path, uuids } = await ownProject('Between', 'Mine', 'Theirs', 'Gone')
  const shown = await preview(alice, path, uuids, NIGHTLY)
  await store.checks.update(id, uuids[1]!, { changes: { periodSeconds: 3_600 }, now: clock.now() })
  await store.checks.delete(id, uuids[2]!, clock.now())
  const refused = seen(await apply(alice, path, shown, NIGHTLY))
  assert.equal(refused.status, 409)
  assert.match(refused.words, /Nothing was changed: checks have changed since you looked\./)
  assert.match(refused.words, /No longer there: 1 check, deleted or moved by others\./)
  assert.deepEqual(
    refused.rows.map(row => row.includes('changed by others')),
    [false, true],
  )
  assert.equal((await factsOf(id, uuids[0]!)).kind, 'simple')
  assert.equal((await apply(alice, path, refused, NIGHTLY)).status, 303)
  assert.equal((await factsOf(id, uuids[1]!)).kind, 'cron')
})

test('of two changes that are made at once, one is refused', async () => {
  const { id, path, uuids } = await ownProject('At once', 'One', 'Two', 'Three')
  const edits = ['0 3 * * *', '0 4 * * *'].map(schedule => ({ timing: { schedule } }))
  const results = await Promise.all(
    edits.map(async edit => {
      const rows = await store.checks.previewEdit({ projectIds: [id], uuids, edit })
      const seen = new Map(rows.map(({ check, seen }) => [check.uuid, seen]))
      return async () => {
        return await store.checks.edit({ projectIds: [id], seen, edit, userId: alice.id, now: clock.now() })
      }
    }),
  ).then(async made => await Promise.all(made.map(make => make())))
  const outdated = results.map(({ isOutdated }) => isOutdated)
  assert.deepEqual([...outdated].sort(), [false, true])
  const expected = edits[outdated.indexOf(false)]!.timing.schedule
  for (const uuid of uuids) assert.equal((await factsOf(id, uuid)).schedule, expected)
  assert.match((await alice.get(path)).text, /At once/)
})

test('other changes than those shown are shown first', async () => {
  const { id, path, uuids } = await ownProject('Unseen', 'One')
  const shown = await preview(alice, path, uuids, { part: 'grace', grace: '5 min' })
  const refused = seen(await apply(alice, path, shown, { part: 'grace', grace: '6 min' }))
  assert.equal(refused.status, 409)
  assert.match(refused.words, /these changes were not shown before/)
  assert.equal((await factsOf(id, uuids[0]!)).graceSeconds, 3_600)
})

test('an undo leaves checks that somebody else has changed or deleted since, and names them', async () => {
  const { id, path, uuids } = await ownProject('Left', 'Kept', 'Touched', 'Gone')
  const { undo } = await change(path, uuids, { part: ['grace', 'tags'], grace: '5 min', tags: 'prod' })
  await store.checks.update(id, uuids[0]!, { changes: { name: 'Renamed' }, now: clock.now() })
  await store.checks.update(id, uuids[1]!, { changes: { graceSeconds: 600 }, now: clock.now() })
  await store.checks.delete(id, uuids[2]!, clock.now())
  await pingCheck(world, uuids[0]!)
  await alice.post(undo)
  assert.equal(
    (await message(path)).text,
    'Undone for 1 of 3 checks: the others have been changed or pinged since (Touched, Gone).',
  )
  const [kept, touched] = [await factsOf(id, uuids[0]!), await factsOf(id, uuids[1]!)]
  assert.deepEqual([kept.name, kept.graceSeconds, kept.tags], ['Renamed', 3_600, ''])
  assert.deepEqual([touched.graceSeconds, touched.tags], [600, 'prod'])
})

test('checks of several projects are edited and moved together, and one undo takes all back', async () => {
  const [one, two, target] = [
    await ownProject('A', 'In A'),
    await ownProject('B', 'In B'),
    await ownProject('C'),
  ]
  const all = [...one.uuids, ...two.uuids]
  const fields = { part: ['grace', 'project'], grace: '7 min', project: target.uuid }
  const first = await change('/checks/', all, fields)
  assert.equal(first.text, 'Changed 2 checks. Moving 2 checks to C in a few seconds.')
  await alice.post(first.undo)
  assert.equal((await message('/checks/')).text, 'Undone.')
  assert.deepEqual(await carryOutLater(world), [])
  assert.equal((await factsOf(two.id, two.uuids[0]!)).graceSeconds, 3_600)
  await change('/checks/', all, fields)
  assert.deepEqual(await carryOutLater(world), [])
  assert.equal((await factsOf(target.id, one.uuids[0]!)).graceSeconds, 420)
  assert.equal((await factsOf(target.id, two.uuids[0]!)).graceSeconds, 420)
})

test('only checks that the person may change are edited, in every list', async () => {
  const { id, uuid: project, path, uuids } = await ownProject('Guarded', 'Guarded')
  for (const [{ id: userId }, role] of [
    [bob, 'member'],
    [rita, 'readonly'],
  ] as const) {
    await store.projects.putMember({ projectId: id, userId, role, now: clock.now() })
  }
  const own = await world.addCheck('Own', world.charlies.id)
  const foreign = await factsOf(id, uuids[0]!)
  assert.equal((await post(charlie, path, { check: uuids })).status, 404)
  assert.equal((await post(rita, path, { check: uuids })).status, 403)
  assert.equal((await world.stranger().post('/checks/bulk/edit/', { check: uuids })).status, 302)
  const shown = await preview(charlie, '/checks/', [own, ...uuids], NIGHTLY)
  assert.deepEqual([shown.rows.length, shown.words.includes('Guarded')], [1, false])
  assert.equal(
    (await change('/checks/', [own, ...shown.hidden.check.slice(1)], NIGHTLY, charlie)).text,
    'Changed 1 check.',
  )
  const forged = { ...shown, hidden: { ...shown.hidden, check: [...shown.hidden.check, `${uuids[0]}.x`] } }
  assert.equal((await apply(charlie, '/checks/', forged, NIGHTLY)).status, 409)
  assert.equal((await preview(rita, '/checks/', uuids, NIGHTLY)).rows.length, 0)
  assert.deepEqual(await factsOf(id, uuids[0]!), foreign)
  assert.doesNotMatch((await rita.get(path)).text, /name="check"/)
  assert.doesNotMatch((await rita.get('/checks/')).text, new RegExp(`name="check" value="${uuids[0]}"`))
  assert.equal((await change(path, uuids, NIGHTLY, bob)).text, 'Changed 1 check.')
  const { undo } = await change(path, uuids, { part: 'grace', grace: '9 min' }, bob)
  await alice.post(undo)
  assert.match((await message(path)).text, /Not undone/, 'only its author undoes it')
  assert.match((await bob.get(`/projects/${project}/checks/`)).text, /Edit…/)
})

test('a thousand checks are edited and that is undone; if the transaction fails nothing is', async () => {
  const { id, path } = await ownProject('Many')
  for (let i = 0; i < 1_000; i++) await world.addCheck(`Job ${i}`, id)
  const list = await store.checks.findUuids(
    [{ id, uuid: '' }],
    { search: '', states: [], tags: [], sort: 'created', group: null, folded: [] },
    clock.now(),
  )
  const shown = seen(await post(alice, path, { all: '1', preview: '1', ...NIGHTLY }))
  assert.equal(shown.summary, '1000 checks change.')
  const before = await store.checks.previewEdit({ projectIds: [id], uuids: list, edit: { timing: {} } })
  const seenOf = new Map(shown.hidden.check.map(text => text.split('.') as [string, string]))
  const edit = { timing: { schedule: '0 3 * * *' } }
  // The undo is written last.
  const broken = { projectIds: [id], seen: seenOf, edit, userId: null as never, now: clock.now() }
  await assert.rejects(store.checks.edit(broken))
  const asBefore = await store.checks.previewEdit({ projectIds: [id], uuids: list, edit: { timing: {} } })
  assert.deepEqual(asBefore, before)
  await apply(alice, path, shown, NIGHTLY)
  const { text, undo } = await message(path)
  assert.equal(text, 'Changed 1000 checks.')
  assert.equal((await factsOf(id, list[999]!)).kind, 'cron')
  await alice.post(undo)
  assert.equal((await message(path)).text, 'Undone.')
  const after = await store.checks.previewEdit({ projectIds: [id], uuids: list, edit: { timing: {} } })
  assert.deepEqual(
    after.map(({ seen }) => seen),
    before.map(({ seen }) => seen),
  )
})

test('a check that changes while very many are edited ends the edit, and the page says how far it came', async () => {
  const { id, path } = await ownProject('In between')
  for (let n = 0; n < 321; n++) await world.addCheck(`Job ${n}`, id)
  const shown = seen(await post(alice, path, { all: '1', preview: '1', ...NIGHTLY }))
  const order = shown.hidden.check.map(text => text.split('.')[0]!)
  const [last, { edit }] = [order.at(-1)!, store.checks]
  Object.assign(store.checks, {
    async edit(this: typeof store.checks, ...args: Parameters<typeof edit>) {
      await store.checks.update(id, last, { changes: { tags: 'mine' }, now: clock.now() })
      return await edit.apply(this, args)
    },
  })
  await apply(alice, path, shown, NIGHTLY)
  Object.assign(store.checks, { edit })
  const { text, undo } = await message(path)
  const [, changed, left] =
    /^Changed (\d+) checks\. Left (\d+) checks? unchanged: some have changed since you looked\.$/.exec(
      text,
    ) ?? []
  assert.equal(Number(changed) + Number(left), 321, text)
  assert.equal((await factsOf(id, last)).kind, 'simple')
  assert.equal((await factsOf(id, order[0]!)).kind, 'cron')
  await alice.post(undo)
  assert.equal((await message(path)).text, 'Undone.')
  assert.equal((await factsOf(id, order[0]!)).kind, 'simple')
})
