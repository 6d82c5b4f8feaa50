import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()

/** A project of Alice's own for one test, and the path of its list. */
async function fresh(name = 'Own') {
  const project = await world.projectOf(world.alice, name)
  return { ...project, path: `/projects/${project.uuid}/checks/` }
}

/** The names in the list, in order. */
const namesIn = (text: string) =>
  [...text.matchAll(/<a class="name[^"]*"[^>]*>([^<]*)</g)].map(match => match[1])

const ping = (...args: PingArguments) => pingCheck(world, ...args)
type PingArguments = Parameters<typeof pingCheck> extends [unknown, ...infer Rest] ? Rest : never

test('an empty project shows the one line that makes its first check', async () => {
  const { path, pingKey } = await fresh()
  const { status, text } = await world.alice.get(path)
  assert.equal(status, 200)
  assert.match(text, new RegExp(`curl [^<]*/ping/${pingKey}/my-job\\?create=1`))
})

test('the headline says whether anything is wrong, and the title counts what is down', async () => {
  const { id, path } = await fresh()
  const a = await world.addCheck('First', id)
  const b = await world.addCheck('Second', id)
  await ping(a)
  await ping(b)
  assert.match((await world.alice.get(path)).text, /All 2 checks are on time/)
  await ping(b, 'fail')
  const { text } = await world.alice.get(path)
  assert.match(text, /1 of 2 checks is down/)
  assert.match(text, /<title>\(1\) /)
})

test('what is down stands first, and filters and search stand in the address', async () => {
  const { id, path } = await fresh()
  for (const name of ['Alpha', 'Beta', 'Gamma']) await world.addCheck(name, id)
  const down = await world.addCheck('Delta', id)
  await ping(down, 'fail')
  await world.store.checks.tag(id, [down], { add: ['prod'], remove: [], now: 1 })
  const shown = async (query: string) => namesIn((await world.alice.get(path + query)).text)
  assert.deepEqual(await shown(''), ['Delta', 'Alpha', 'Beta', 'Gamma'])
  assert.deepEqual(await shown('?sort=-name'), ['Delta', 'Gamma', 'Beta', 'Alpha'])
  assert.deepEqual(await shown('?status=down'), ['Delta'])
  assert.deepEqual(await shown('?status=new&status=down&search=ETA'), ['Beta'])
  assert.deepEqual(await shown('?tag=prod'), ['Delta'])
  assert.deepEqual(await shown('?tag=nobody'), [])
  assert.match((await world.alice.get(`${path}?tag=nobody`)).text, /No checks match/)
})

test('a single check is never called checks', async () => {
  const { id, path } = await fresh()
  const only = await world.addCheck('Alone', id)
  await world.store.checks.tag(id, [only], { add: ['prod'], remove: [], now: 1 })
  const { text } = await world.alice.get(path)
  assert.match(text, /title="1 check"/)
  assert.match(text, /<span class="muted">1 check<\/span>/)
  const found = await world.alice.get(`${path}?tag=prod`)
  assert.match(found.text, /1 of 1 check</)
  const none = await world.alice.get(`${path}?tag=nobody`)
  assert.match(none.text, /The only check of this project does not match the filters\./)
  for (const page of [text, found.text, none.text]) assert.doesNotMatch(page, /\b1 checks/)
})

test('a project of many checks is shown page by page, and no check is lost', async () => {
  const { id, path } = await fresh()
  const made = Array.from({ length: 230 }, (_, index) => `Job ${index + 1}`)
  await Promise.all(made.map(name => world.addCheck(name, id)))
  const seen: (string | undefined)[] = []
  for (let page = 1; page <= 3; page++) {
    const { text } = await world.alice.get(`${path}?sort=name&page=${page}`)
    seen.push(...namesIn(text))
    assert.match(text, /of 230 checks/)
  }
  assert.deepEqual(seen, made)
  assert.deepEqual(namesIn((await world.alice.get(`${path}?sort=name&page=99`)).text), made.slice(200))
})

test('names, tags and everything else from outside is escaped', async () => {
  const { id, path } = await fresh('<b>project</b>')
  const evil = '"><script>alert(1)</script>'
  const uuid = await world.addCheck(evil, id)
  await world.store.checks.update(id, uuid, { changes: { tags: '<img/src=x>', desc: evil }, now: 1 })
  for (const at of [
    path,
    `/checks/${uuid}/details/`,
    `/checks/${uuid}/edit/`,
    `${path}?search=${encodeURIComponent(evil)}`,
  ]) {
    const { status, text } = await world.alice.get(at)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /<script>alert|<img\/src|<b>project/)
  }
})

test('several checks are paused, resumed, tagged and deleted at once', async () => {
  const { id, path } = await fresh()
  const [a, b, c] = [
    await world.addCheck('A', id),
    await world.addCheck('B', id),
    await world.addCheck('C', id),
  ]
  const bulk = (fields: Record<string, string | string[]>) =>
    world.alice.post(`${path}bulk/?sort=name`, fields)
  const states = async () => await world.store.checks.stateCounts(id, world.clock.now())

  const { status, location } = await bulk({ action: 'pause', check: [a, b] })
  assert.deepEqual([status, location], [303, `${path}?sort=name`])
  assert.equal((await states()).paused, 2)
  await bulk({ action: 'resume', check: [a, b, c] })
  assert.equal((await states()).paused, 0)

  await bulk({ action: 'tag', check: [a, b], tags: 'prod  eu' })
  await bulk({ action: 'untag', check: [b], tags: 'eu' })
  assert.deepEqual(namesIn((await world.alice.get(`${path}?tag=prod&tag=eu`)).text), ['A'])
  assert.deepEqual(namesIn((await world.alice.get(`${path}?tag=prod&sort=name`)).text), ['A', 'B'])

  const asked = await bulk({ action: 'delete', check: [a, c] })
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Delete 2 checks\?/)
  assert.equal((await states()).all, 3)
  await bulk({ action: 'delete', check: [a, c], sure: '1' })
  assert.deepEqual(namesIn((await world.alice.get(path)).text), ['B'])
})

test('checks of another project are out of reach of a bulk action', async () => {
  const { path } = await fresh()
  const others = await world.addCheck('Charlie’s', world.charlies.id)
  await world.alice.post(`${path}bulk/`, { action: 'delete', check: [others], sure: '1' })
  await world.alice.post(`${path}bulk/`, { action: 'tag', check: [others], tags: 'mine' })
  const { text } = await world.charlie.get(`/projects/${world.charlies.uuid}/checks/`)
  assert.deepEqual(namesIn(text), ['Charlie’s'])
  assert.doesNotMatch(text, /mine/)
})

test('the overview shows every project of the reader, those in trouble first, and no others', async () => {
  const dora = await world.person('dora')
  const calm = await world.projectOf(dora, 'Calm')
  const busy = await world.projectOf(dora, 'Zealous')
  await ping(await world.addCheck('fine', calm.id))
  await ping(await world.addCheck('broken', busy.id), 'fail')
  const { text } = await dora.get('/projects/')
  assert.deepEqual(namesIn(text), ['broken', 'Zealous', 'Calm'])
  assert.match(text, /1 of 2 checks is down/)
})

test('the home page of a person with one project is the list of its checks', async () => {
  const { status, text } = await (await world.person('noone')).get('/')
  assert.deepEqual([status, /No projects yet/.test(text)], [200, true])
  const gina = await world.person('gina')
  const { uuid } = await world.projectOf(gina, 'Only')
  const first = await gina.get('/')
  assert.deepEqual([first.status, first.location], [303, `/projects/${uuid}/checks/`])
  await world.projectOf(gina, 'Second')
  assert.deepEqual(namesIn((await gina.get('/')).text), ['Only', 'Second'])
})

test('a project is new until something pings, and paused where everything is', async () => {
  const dean = await world.person('dean')
  const project = async (name: string, ...states: ('new' | 'up' | 'paused')[]) => {
    const { id, uuid } = await world.projectOf(dean, name)
    for (const [index, state] of states.entries()) {
      const check = await world.addCheck(`${name} ${index}`, id)
      if (state === 'up') await ping(check)
      if (state === 'paused') await world.store.checks.pause(id, check, world.clock.now())
    }
    return uuid
  }
  const expected = [
    [await project('Empty'), 'new'],
    [await project('Unpinged', 'new', 'new'), 'new'],
    [await project('Unpinged or paused', 'new', 'paused'), 'new'],
    [await project('Paused', 'paused', 'paused'), 'paused'],
    [await project('Pinged', 'up', 'new', 'paused'), 'up'],
  ] as const
  const { text } = await dean.get('/projects/')
  for (const [uuid, status] of expected) {
    const row = text.slice(text.indexOf(`id="p-${uuid}"`)).split('</tr>')[0]!
    assert.match(row, new RegExp(`class="status status-${status}"`))
  }
})

test('the list says what the last thirty runs did', async () => {
  const { id, path } = await fresh()
  const uuid = await world.addCheck('Runs', id)
  for (let run = 0; run < 32; run++) {
    await ping(uuid, 'start')
    world.clock.advance(42)
    await ping(uuid, run === 31 ? 'fail' : 'success')
  }
  assert.match((await world.alice.get(path)).text, /Last 30 runs: 29 succeeded, 1 failed; the last took 42 s/)
})

test('several checks are given to an integration, or taken from it, chosen one by one or all that were found', async () => {
  const { id, path } = await fresh()
  const [a, b] = [await world.addCheck('A', id), await world.addCheck('Zulu', id)]
  const prod = await world.addCheck('Prod', id)
  await world.store.checks.tag(id, [prod], { add: ['prod'], remove: [], now: 1 })
  const now = world.clock.now()
  const hook = { projectId: id, name: 'Hook', kind: 'webhook', settings: {}, members: [], now }
  const { uuid: channel, id: channelId } = await world.store.channels.create(hook)
  const assigned = async () =>
    (await world.store.channels.assignableChecks(id, channelId))
      .filter(check => check.assigned)
      .map(({ name }) => name)
  const bulk = (query: string, fields: Record<string, string | string[]>) =>
    world.alice.post(`${path}bulk/${query}`, { channel, ...fields })

  assert.deepEqual(await assigned(), ['A', 'Prod', 'Zulu'])
  await bulk('', { action: 'untell', check: [a, b] })
  assert.deepEqual(await assigned(), ['Prod'])
  await bulk('?search=zul', { action: 'tell', all: '1' })
  assert.deepEqual(await assigned(), ['Prod', 'Zulu'])
  await bulk('?tag=prod', { action: 'untell', all: '1' })
  assert.deepEqual(await assigned(), ['Zulu'])
  const asked = await bulk('?tag=prod', { action: 'delete', all: '1' })
  assert.match(asked.text, /Delete 1 check\?/)
  await bulk('?tag=prod', { action: 'delete', all: '1', sure: '1' })
  assert.deepEqual(namesIn((await world.alice.get(path)).text), ['A', 'Zulu'])

  const others = await world.store.channels.create({ ...hook, projectId: world.charlies.id })
  await bulk('', { action: 'tell', check: a, channel: others.uuid })
  assert.match((await world.alice.get(path)).text, /There is no such integration\./)
})

test('opening a link with an order does not change the order of the next visit', async () => {
  const { id, path } = await fresh()
  for (const name of ['Mid', 'Low', 'Top']) await world.addCheck(name, id)
  const bob = await world.person('sorter')
  await world.store.projects.putMember({ projectId: id, userId: bob.id, role: 'readonly', now: 1 })
  const order = async (query = '') => namesIn((await bob.get(path + query)).text)
  assert.deepEqual(await order(), ['Low', 'Mid', 'Top'])
  assert.deepEqual(await order('?sort=-name'), ['Top', 'Mid', 'Low'])
  assert.deepEqual(await order(), ['Low', 'Mid', 'Top'])
  assert.deepEqual(await order('?sort=nonsense'), ['Low', 'Mid', 'Top'])
  assert.deepEqual(await order('?sort=created'), ['Mid', 'Low', 'Top'])
  assert.deepEqual(await order('?sort=state'), ['Low', 'Mid', 'Top'])
})

test('what went down last stands first, noticed or not', async () => {
  const { id, path } = await fresh()
  const [first, last] = [
    await world.addCheck('A, failed first', id),
    await world.addCheck('Z, failed last', id),
  ]
  const silent = await world.addCheck('Silent', id)
  await ping(silent)
  await ping(first, 'fail')
  world.clock.advance(2 * 86_400)
  await ping(last, 'fail')
  const { text } = await world.alice.get(`${path}?sort=state`)
  assert.deepEqual(namesIn(text), ['Z, failed last', 'Silent', 'A, failed first'])
})

test('the overview names what is down in any project, and why', async () => {
  const ella = await world.person('ella')
  const [one, other] = [await world.projectOf(ella, 'One'), await world.projectOf(ella, 'Other')]
  await ping(await world.addCheck('Failed job', one.id), 'fail')
  const silent = await world.addCheck('Silent job', other.id)
  await ping(silent)
  world.clock.advance(3 * 86_400)
  await ping(await world.addCheck('Fine job', other.id))
  const { text } = await ella.get('/projects/')
  assert.match(
    text,
    /Failed job[\s\S]*It reported a failure[\s\S]*Silent job|Silent job[\s\S]*No ping since[\s\S]*Failed job/,
  )
  assert.match(text, /2 of 3 checks are down/)
  assert.doesNotMatch(text, /Fine job/)
})

test('the headline of the overview says what no ping or a late ping means for all projects', async () => {
  const fred = await world.person('fred')
  const headline = async () => /<h1[^>]*>([^<]*)/.exec((await fred.get('/projects/')).text)![1]
  const { id } = await world.projectOf(fred, 'Begun')
  const uuid = await world.addCheck('Job', id)
  assert.equal(await headline(), 'No pings yet')
  await ping(uuid)
  assert.equal(await headline(), 'The only check is on time')
  await world.addCheck('Other job', id)
  world.clock.advance(86_400 + 60)
  assert.equal(await headline(), '1 of 2 checks is late')
})

test('a last ping that asks to follow a link says so in the row', async () => {
  const { id, path, pingKey } = await fresh()
  await world.send('POST', `/ping/${pingKey}/signup?create=1`, {
    body: 'Please CONFIRM your address: https://…',
  })
  assert.match((await world.alice.get(path)).text, /confirmation link/)
  await world.send('POST', `/ping/${pingKey}/signup`, { body: 'done' })
  assert.doesNotMatch((await world.alice.get(path)).text, /confirmation link/)
  assert.equal((await world.store.checks.stateCounts(id, world.clock.now())).all, 1)
})
