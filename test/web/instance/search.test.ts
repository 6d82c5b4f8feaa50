/** The search of the whole site, as a page and as the options of its dialog: only what the reader may see and do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, alice, bob, rita, charlie, project } = world

async function addCheck(name: string, tags: string, projectId: number): Promise<string> {
  const asked = { changes: { name, tags }, unique: null, now: clock.now() }
  return (await store.checks.create(projectId, asked)).check.uuid
}

const shop = await addCheck('Backup of the shop', 'prod eu', project.id)
const mail = await addCheck('Backup of the mail', 'prod', project.id)
const invoices = await addCheck('Invoices', 'billing', project.id)
const secret = await addCheck('Backup of Charlie', 'prod', world.charlies.id)
const fleet = await world.projectOf(alice, 'Fleet')
const trucks = await addCheck('Trucks', '', fleet.id)

const optionsOf = async (person: Person, asked: Record<string, string>) =>
  (await person.get(`/search/options/?${new URLSearchParams(asked)}`)).text

/** Makes checks with numbered names, as `Nightly 0`, in another project of Alice’s. */
async function addChecks(name: string, count: number): Promise<string[]> {
  const checks: string[] = []
  for (let n = 0; n < count; n++) checks.push(await addCheck(`${name} ${n}`, '', fleet.id))
  return checks
}

/** The names of the checks that are found, in order. */
const checksOf = async (person: Person, asked: Record<string, string>) =>
  [...(await optionsOf(person, asked)).matchAll(/data-check="([0-9a-f-]+)"/g)].map(([, uuid]) => uuid)

const labelsOf = (html: string) => [...html.matchAll(/found-label">([^<]*)</g)].map(([, label]) => label)

test('checks are found by words, tags and projects, also mistyped', async () => {
  assert.deepEqual(await checksOf(alice, { q: 'backup' }), [shop, mail])
  assert.deepEqual(await checksOf(alice, { q: 'bakcup mial' }), [mail])
  assert.deepEqual(await checksOf(alice, { q: '#prod shop' }), [shop])
  assert.deepEqual(await checksOf(alice, { q: '#bil' }), [invoices])
  assert.deepEqual(await checksOf(alice, { q: 'trucks @fleet' }), [trucks])
  assert.deepEqual(await checksOf(alice, { q: 'backup @fleet' }), [])
})

test('checks that were used last come first among equals', async () => {
  const recent = `/checks/${mail}/details/,/docs/pinging/`
  assert.deepEqual(await checksOf(alice, { q: 'backup', recent }), [mail, shop])
  assert.deepEqual(await checksOf(alice, { q: '', recent }), [mail])
})

test('nothing of other people’s projects is found, named or acted on', async () => {
  assert.deepEqual(await checksOf(alice, { q: 'charlie' }), [])
  const recent = `/checks/${secret}/details/`
  for (const asked of [
    { q: '', recent },
    { q: 'backup', check: secret, project: world.charlies.uuid },
  ]) {
    const html = await optionsOf(alice, asked)
    assert.equal(html.includes(secret) || html.includes('Charlie'), false)
  }
  assert.deepEqual(await checksOf(charlie, { q: 'backup' }), [secret])
  const page = await charlie.get(`/search/?check=${shop}&q=backup`)
  assert.equal(page.text.includes('of the shop'), false)
})

test('the actions on the best check are offered, and those that a first word names', async () => {
  const best = await optionsOf(alice, { q: 'invoices' })
  assert.match(best, /Actions for Invoices/)
  assert.match(best, new RegExp(`formaction="/checks/${invoices}/pause/"`))
  const named = await optionsOf(alice, { q: 'pause backup' })
  assert.deepEqual(labelsOf(named).slice(0, 2), ['Pause', 'Pause'])
  assert.match(named, new RegExp(`formaction="/checks/${shop}/pause/"`))
  assert.equal(named.includes(`/checks/${invoices}/pause/`), false)
})

test('on the page of a check its actions come first, and > shows nothing else', async () => {
  const html = await optionsOf(alice, { q: '>snooze 1', check: mail })
  assert.deepEqual(labelsOf(html), ['Snooze for 1 hour'])
  assert.match(html, new RegExp(`formaction="/checks/${mail}/snooze/" name="for" value="3600"`))
  const all = labelsOf(await optionsOf(alice, { q: '', check: mail }))
  assert.deepEqual(all.slice(0, 3), ['Snooze for 1 hour', 'Snooze for 4 hours', 'Snooze until 9:00 tomorrow'])
  assert.ok(all.includes('Copy ping URL'))
})

test('a check that is down offers its last failure, its incident, and to acknowledge it', async () => {
  await world.send('GET', `/ping/${trucks}`)
  await world.send('GET', `/ping/${trucks}/3`)
  await world.send('GET', `/ping/${trucks}/log`)
  const incident = await store.incidents.openIncident(trucks)
  const html = await optionsOf(alice, { q: '>', check: trucks })
  assert.match(html, new RegExp(`href="/checks/${trucks}/pings/2/"`))
  assert.match(html, new RegExp(`href="/projects/${fleet.uuid}/incidents/${incident}/"`))
  assert.match(html, /Acknowledge/)
  await alice.post('/incidents/acknowledge/', { incident: `${fleet.uuid}:${incident}` })
  assert.equal((await optionsOf(alice, { q: '>', check: trucks })).includes('Acknowledge'), false)
})

test('a paused check offers to be resumed', async () => {
  await alice.post(`/checks/${invoices}/pause/`)
  const labels = labelsOf(await optionsOf(alice, { q: '>', check: invoices }))
  assert.deepEqual([labels.includes('Resume'), labels.includes('Pause')], [true, false])
  await alice.post(`/checks/${invoices}/resume/`)
})

test('a member who only reads finds checks and pages, and no action that changes anything', async () => {
  assert.deepEqual(await checksOf(rita, { q: 'backup' }), [shop, mail])
  const html = await optionsOf(rita, { q: '>', check: shop })
  assert.deepEqual(labelsOf(html), ['New project', 'Sign out'])
  assert.equal(html.includes(world.config.PING_ENDPOINT + shop), false)
  assert.match(await optionsOf(bob, { q: '>', check: shop }), /Pause/)
})

test('pages, projects and documents are found, those of the current project first', async () => {
  assert.match(await optionsOf(alice, { q: 'fleet' }), new RegExp(`href="/projects/${fleet.uuid}/checks/"`))
  const settings = await optionsOf(alice, { q: 'settings', project: fleet.uuid })
  const [, first] = /href="\/projects\/([0-9a-f-]+)\/settings\/"/.exec(settings)!
  assert.equal(first, fleet.uuid)
  const docs = await optionsOf(alice, { q: '?daylight saving' })
  assert.match(docs, /href="\/docs\/schedules\//)
  assert.equal(docs.includes('/projects/'), false)
})

test('the search works without a script: links, buttons in a form, and actions of each check', async () => {
  const page = await alice.get('/search/?q=invoices')
  assert.equal(page.status, 200)
  assert.match(page.text, new RegExp(`<a class="found" href="/checks/${invoices}/details/"`))
  assert.match(page.text, new RegExp(`href="/search/\\?check=${invoices}"`))
  assert.equal(page.text.includes('role="option"'), false)
  const actions = await alice.get(`/search/?check=${invoices}`)
  assert.match(actions.text, /<h1>Actions for Invoices<\/h1>/)
  assert.match((await alice.get('/search/?q=zzzz')).text, /Nothing found for “zzzz”/)
})

test('the last outputs of the reader’s checks are searched too, and nobody else’s', async () => {
  const send = async (uuid: string, body: string) => {
    await pingCheck(world, uuid, 'log', { body: new TextEncoder().encode(body) })
  }
  await send(mail, 'an old Tape <b> here')
  await send(mail, 'line\nno Tape <b> left')
  await send(trucks, 'a tape <b> of trucks')
  await send(secret, 'the tape <b> of Charlie')
  const search = async (person: Person, q: string) =>
    (await person.get(`/search/?${new URLSearchParams({ q })}`)).text
  const outputs = (html: string) =>
    [...html.matchAll(/class="found-output" href="([^"]*)"/g)].map(([, address]) => address)
  const found = await search(alice, 'TAPE <b>')
  assert.deepEqual(
    outputs(found).toSorted(),
    [`/checks/${mail}/pings/2/#L2`, `/checks/${trucks}/pings/4/#L1`].toSorted(),
  )
  assert.match(found, /no <mark>Tape &lt;b&gt;<\/mark> left/)
  assert.match(found, new RegExp(`href="/checks/${mail}/log/\\?text=TAPE\\+%3Cb%3E"`))
  assert.match(found, /Searched the last output of 2 checks\./)
  assert.doesNotMatch(found, /of Charlie|<b> left|Nothing found for/)
  assert.deepEqual(outputs(await search(charlie, 'tape <b>')), [`/checks/${secret}/pings/1/#L1`])
  assert.deepEqual(outputs(await search(rita, 'tape <b>')), [`/checks/${mail}/pings/2/#L2`])
  assert.deepEqual(outputs(await search(alice, 'tape <b> @fleet')), [`/checks/${trucks}/pings/4/#L1`])
  assert.deepEqual(outputs(await search(alice, 'tape <b> #prod')), [`/checks/${mail}/pings/2/#L2`])
  const none = await search(alice, 'tapir')
  assert.match(
    none,
    /Nothing found for “tapir”.*No output has “tapir”\. Searched the last output of 2 checks/s,
  )
  for (const q of ['ta', '>tape', '?tape']) assert.doesNotMatch(await search(alice, q), /In outputs/)
  assert.match(
    await optionsOf(alice, { q: 'tapir' }),
    /href="\/search\/\?q=tapir#outputs"[^>]*>.*Search outputs for “tapir”/,
  )
})

test('a page that does not exist has a field for the search', async () => {
  assert.match((await alice.get('/nothing/here/')).text, /action="\/search\/"/)
  assert.match((await charlie.get(`/checks/${shop}/details/`)).text, /action="\/search\/"/)
})

test('checks in trouble come first, and a page has all checks of which the search shows some', async () => {
  const checks = await addChecks('Nightly', 43)
  const [worst, late] = [checks[40]!, checks[41]!]
  await world.send('GET', `/ping/${late}`)
  clock.advance(86_400 + 60)
  await world.send('GET', `/ping/${worst}/fail`)
  const html = await optionsOf(alice, { q: 'nightly' })
  assert.deepEqual((await checksOf(alice, { q: 'nightly' })).slice(0, 3), [worst, late, checks[0]])
  assert.match(html, /Checks <span class="found-shown">8 of 43<\/span>/)
  assert.match(
    html,
    /href="\/search\/\?q=nightly&amp;show=checks"[^>]*><span class="found-label">Show all 43 checks</,
  )
  const page = await alice.get('/search/?q=nightly')
  assert.match(page.text, /8 of 43.*Show all 43 checks/s)
  const all = (await alice.get('/search/?q=nightly&show=checks')).text
  const uuids = [...all.matchAll(/data-check="([0-9a-f-]+)"/g)].map(([, uuid]) => uuid)
  assert.deepEqual(uuids.slice(0, 2), [worst, late])
  assert.deepEqual(uuids.toSorted(), checks.toSorted())
  assert.equal((await charlie.get('/search/?q=nightly&show=checks')).text.includes(worst), false)
})

test('a check with just the name that was typed comes before those in trouble', async () => {
  const checks = await addChecks('Daily', 2)
  await world.send('GET', `/ping/${checks[1]}/fail`)
  assert.deepEqual(await checksOf(alice, { q: 'daily' }), [checks[1], checks[0]])
  assert.deepEqual(await checksOf(alice, { q: 'daily 0' }), [checks[0]])
  await store.checks.update(world.project.id, shop, { changes: { name: 'Daily' }, now: clock.now() })
  assert.deepEqual((await checksOf(alice, { q: 'daily' })).slice(0, 2), [shop, checks[1]])
  await store.checks.update(world.project.id, shop, {
    changes: { name: 'Backup of the shop' },
    now: clock.now(),
  })
})

test('a long list of checks has pages', async () => {
  const checks = await addChecks('Hourly', 103)
  const page = async (query: string) => (await alice.get(`/search/?q=hourly&show=checks${query}`)).text
  const count = (text: string) => text.match(/data-check="/g)?.length
  const [first, second] = [await page(''), await page('&page=2')]
  assert.match(first, /1–100 of 103/)
  assert.match(first, /href="\/search\/\?q=hourly&amp;show=checks&amp;page=2" rel="next"/)
  assert.match(second, /101–103 of 103/)
  assert.deepEqual([count(first), count(second)], [100, 3])
  assert.ok(second.includes(checks[102]!))
})
