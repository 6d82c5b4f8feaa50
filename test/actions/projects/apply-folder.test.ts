/** The files of CONFIG_DIR. */
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { applyFolder } from '../../../src/actions/projects/config/apply-folder.js'
import { readConfig } from '../../../src/actions/projects/config/read-config.js'
import { createTransports } from '../../../src/integrations/create-transports.js'
import { FakeClock } from '../../_support/clock.js'
import { openFreshStore, tempFolder } from '../../_support/worlds/store.js'

const { store, remove } = await openFreshStore()
test.after(remove)
const clock = new FakeClock()
const unused = async () => assert.fail('nothing is sent')
const deps = {
  store,
  clock,
  operator: {},
  siteRoot: 'https://punctual.example',
  variables: { WHAT: 'the database' } as Record<string, string>,
  transports: (signal: AbortSignal) => createTransports({ fetch: unused, mailer: null, run: unused }, signal),
}

async function project(name: string) {
  return await store.projects.create({ name, ownerId: null, pingKey: null, now: clock.now() })
}

async function folderOf(t: TestContext, files: Record<string, string>) {
  const folder = join(await tempFolder(t), 'config')
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function objects(projectId: number) {
  const config = await readConfig(store, projectId, clock.now())
  return Object.values(config.objects).flatMap(list => list.map(({ key, owner }) => `${key} of ${owner}`))
}

test('each file is applied to the project it names, and a second time nothing changes', async t => {
  const [home, work] = [await project('Home'), await project('Work')]
  const folder = await folderOf(t, {
    'home.yaml': `project: Home\nchecks: {db: {period: 1h, desc: "\${WHAT}"}}\n`,
    'work.json': JSON.stringify({ project: work.uuid, checks: { mail: {} } }),
    '..data': 'not read',
    'notes.txt': 'not read',
  })
  const nothingLeft = { left: [], problems: [] }
  assert.deepEqual(await applyFolder(deps, folder), [
    { file: 'home.yaml', changed: 1, ...nothingLeft },
    { file: 'work.json', changed: 1, ...nothingLeft },
  ])
  assert.deepEqual(await objects(home.id), ['db of home.yaml'])
  assert.deepEqual(await objects(work.id), ['mail of work.json'])
  const config = await readConfig(store, home.id, clock.now())
  assert.equal(config.objects.checks[0]!.values.get('desc'), 'the database')
  assert.deepEqual(
    (await applyFolder(deps, folder)).map(({ changed }) => changed),
    [0, 0],
  )

  await writeFile(join(folder, 'home.yaml'), 'project: Home\nchecks: {cache: {}}\n')
  assert.deepEqual((await applyFolder(deps, folder))[0], {
    file: 'home.yaml',
    changed: 1,
    left: ['checks.db'],
    problems: [],
  })
  assert.equal(
    await store.projects.configOwner(home.id, 'checks', config.objects.checks[0]!.ref),
    'home.yaml',
  )
})

test('a file with a problem changes nothing, and does not keep others from being applied', async t => {
  const [one] = [await project('One'), await project('Two'), await project('Two')]
  const folder = await folderOf(t, {
    'a.yaml': 'project: One\nchecks: {a: {period: soon}, b: {}}\n',
    'b.yaml': 'project: Nowhere\n',
    'c.yaml': 'project: Two\n',
    'd.yaml': 'checks: {}\n',
    'e.yaml': 'checks: [\n',
    'f.yaml': `project: One\nchecks: {f: {desc: "\${OTHER}"}}\n`,
    'g.yaml': 'project: One\nchannels: {chat: {kind: telegram}}\n',
    'h.yaml': 'project: One\nchecks: {h: {}}\n',
  })
  await mkdir(join(folder, 'i.yaml'))
  const results = await applyFolder(deps, folder)
  const problems = new Map(results.map(({ file, problems }) => [file, problems.join('\n')]))
  assert.match(problems.get('a.yaml')!, /a\.yaml:2:22: checks\.a\.period: /)
  assert.match(problems.get('b.yaml')!, /b\.yaml: project: There is no project “Nowhere”/)
  assert.match(problems.get('c.yaml')!, /Several projects are called “Two”/)
  assert.match(problems.get('d.yaml')!, /The name of the project is missing/)
  assert.match(problems.get('e.yaml')!, /e\.yaml:\d+:\d+: /)
  assert.match(problems.get('f.yaml')!, /The variable OTHER is not set/)
  assert.notEqual(problems.get('g.yaml'), '')
  assert.match(problems.get('i.yaml')!, /EISDIR/)
  assert.deepEqual(await objects(one.id), ['h of h.yaml'])
})

test('a file may name what a later one makes, and none can change what another owns', async t => {
  const home = await project('Chain')
  const folder = await folderOf(t, {
    'a.yaml': 'project: Chain\nchecks: {upload: {depends_on: [backup]}}\n',
    'b.yaml': 'project: Chain\nchecks: {backup: {}}\n',
    'c.yaml': 'project: Chain\nchecks: {backup: {grace: 2h}}\n',
  })
  const results = await applyFolder(deps, folder)
  assert.deepEqual(
    results.map(({ changed }) => changed),
    [1, 1, 0],
  )
  assert.match(results[2]!.problems.join(), /b\.yaml/)
  assert.deepEqual((await objects(home.id)).sort(), ['backup of b.yaml', 'upload of a.yaml'])
  await rm(folder, { recursive: true })
  await assert.rejects(applyFolder(deps, folder), { code: 'ENOENT' })
})
