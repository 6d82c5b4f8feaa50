/** The tree is the architecture: which folder may import which, and that core/ stays pure. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { FIELD_LIST } from '../src/core/checks/check-fields.js'
import { packageRoot } from '../src/lib/package-root.js'

/** Each layer with the layers it may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  lib: [],
  settings: ['lib'],
  config: ['lib', 'settings'],
  views: ['core', 'lib'],
  storage: ['core', 'lib'],
  integrations: ['core', 'lib', 'views'],
  actions: ['core', 'lib', 'views', 'storage', 'integrations'],
  jobs: ['core', 'lib', 'views', 'storage', 'integrations', 'actions'],
  http: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions'],
  smtp: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions'],
  client: ['core'],
  compose: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions', 'jobs', 'http', 'smtp'],
  cli: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions', 'compose', 'client'],
  main: ['cli'],
}

const src = join(packageRoot, 'src')
const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter(name => /\.tsx?$/.test(name))

const layerOf = (name: string) => name.split('/')[0]!.replace(/\.tsx?$/, '')

function importsOf(name: string): string[] {
  const text = readFileSync(join(src, name), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g,
  )
  return [...found].map(match => (match[1] ?? match[2] ?? match[3])!)
}

test('every file belongs to a known layer and imports only what its layer may', () => {
  assert.ok(files.length > 0)
  const wrong: string[] = []
  for (const name of files) {
    const layer = layerOf(name)
    if (!MAY_IMPORT[layer]) wrong.push(`${name} is in no known layer`)
    for (const specifier of importsOf(name).filter(found => found.startsWith('.'))) {
      const target = layerOf(relative(src, resolve(dirname(join(src, name)), specifier)).replace(/\.js$/, ''))
      if (target !== layer && !MAY_IMPORT[layer]?.includes(target)) wrong.push(`${name} imports ${specifier}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('core/ imports nothing from outside itself', () => {
  const wrong = files
    .filter(name => layerOf(name) === 'core')
    .flatMap(name =>
      importsOf(name)
        .filter(found => !found.startsWith('.'))
        .map(found => `${name} imports ${found}`),
    )
  assert.deepEqual(wrong, [])
})

test('core/ has no clock, no randomness, no input and no output', () => {
  const impure =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.|\bprocess\.|\bconsole\.|\bsetTimeout\b|\bsetInterval\b|\bfetch\(|\bcrypto\./
  const wrong = files
    .filter(name => layerOf(name) === 'core')
    .flatMap(name =>
      readFileSync(join(src, name), 'utf8')
        .split('\n')
        .map((line, index) => ({ name, line, index })),
    )
    .filter(({ line }) => impure.test(line.replace(/\/\/.*|\/?\*.*/, '')))
    .map(({ name, line, index }) => `${name}:${index + 1} ${line.trim()}`)
  assert.deepEqual(wrong, [])
})

test('only config.ts reads environment variables, and main.ts for the command exec', () => {
  const wrong = files
    .filter(name => name !== 'config.ts' && name !== 'main.ts')
    .filter(name => /\bprocess\.env\b/.test(readFileSync(join(src, name), 'utf8')))
  assert.deepEqual(wrong, [])
})

test('only storage/ accesses a database', () => {
  const drivers = new Set(['better-sqlite3', 'node:sqlite', 'pg', 'kysely'])
  const wrong = files
    .filter(name => layerOf(name) !== 'storage')
    .flatMap(name =>
      importsOf(name)
        .filter(found => drivers.has(found))
        .map(found => `${name} imports ${found}`),
    )
  assert.deepEqual(wrong, [])
})

test('no folder has a generic name such as utils', () => {
  const vague = /(^|\/)(utils?|helpers?|common|types|services?|managers?|misc)(\/|\.tsx?$)/
  assert.deepEqual(
    files.filter(name => vague.test(name)),
    [],
  )
})

test('no modules import each other in a cycle', () => {
  assert.deepEqual(cycles(), [])
})

/** The nouns by which the files of a layer are put into folders, the same in each layer. */
const NOUNS = [
  'checks',
  'pings',
  'alerts',
  'incidents',
  'events',
  'silences',
  'channels',
  'people',
  'projects',
  'reports',
  'instance',
]

/** What else stands beside them, in its layer alone. */
const OTHER_FOLDERS: Record<string, string[]> = {
  core: ['config', 'discover', 'import', 'schedule', 'text', 'time', 'wire'],
  storage: ['copy', 'import', 'migrations', 'postgres', 'sqlite'],
  actions: [],
  'http/web': ['dev', 'docs', 'live'],
  'views/pages': [],
}

test('the folders of a layer are the same nouns in every layer', () => {
  const wrong = Object.entries(OTHER_FOLDERS).flatMap(([layer, others]) =>
    foldersIn(join(src, layer))
      .filter(name => !NOUNS.includes(name) && !others.includes(name))
      .map(name => `${layer}/${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('every file with methods of the store is in the list of its noun', () => {
  for (const noun of NOUNS) {
    const defining = files.filter(
      name => dirname(name) === `storage/${noun}` && importsOf(name).includes('../method.js'),
    )
    const listed = importsOf(`storage/${noun}/methods.ts`)
    assert.deepEqual(
      listed,
      defining.map(name => `./${basename(name, '.ts')}.js`).sort((a, b) => (a < b ? -1 : 1)),
    )
  }
})

test('the methods of the store are named where they are defined, and listed nowhere else', () => {
  const isLine = (line: string) => /^(\/\*\* .* \*\/|export \* from '\.\/[\w-]+\.js'|)$/.test(line)
  for (const noun of NOUNS) {
    const lines = readFileSync(join(src, `storage/${noun}/methods.ts`), 'utf8').split('\n')
    assert.deepEqual(
      lines.filter(line => !isLine(line)),
      [],
    )
  }
  const users = files.filter(name => importsOf(name).some(found => found.endsWith('/methods.js')))
  assert.deepEqual(users, ['storage/nouns.ts'])
})

test('no folder of src/ holds more than 26 files side by side', () => {
  const counts = new Map<string, number>()
  for (const name of files) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1)
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 26),
    [],
  )
})

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
}

/** The rules of runs and tolerance, and the findings, which are about these fields alone. */
const RULES = ['core/checks/health/', 'core/checks/findings/']

/** The files that may name a field of a check besides the table, each with its reason. */
const FIELD_USERS: Record<string, string> = {
  'core/checks/check-changes.ts': 'rule: what a change of one setting does to others',
  'core/checks/status.ts': 'rule: deadlines and status',
  'core/discover/check-values.ts': 'rule: the check of a job that was found',
  'core/discover/proposed-check.ts': 'rule: how late a job that was found may be',
  'core/import/drafts/read-cron-jobs.ts': 'the limits of a CronJob by their names here',
  'core/import/drafts/read-cronitor.ts': 'the limits of a monitor of Cronitor by their names here',
  'core/import/map-check.ts': 'the fields of Healthchecks by their names here',
  'core/import/source-schema.ts': 'the columns of Healthchecks',
  'core/checks/check-state.ts': 'rule: when a ping was expected',
  'core/pings/back-dated.ts': 'rule: what a late ping does',
  'core/pings/classify.ts': 'rule: what a ping says',
  'core/pings/ping.ts': 'rule: what a ping does',
  'core/pings/run-ledger.ts': 'rule: which pings are one run',
  'core/schedule/schedule-preview.ts': 'rule: the next runs of a schedule',
  'core/checks/count-missed.ts': 'rule: which occurrences were missed',
  'core/checks/check-form.ts': 'widget: the choice of a schedule',
  'core/checks/bulk-edit/edit-form.ts': 'widget: what many checks can be given',
  'core/wire/check.ts': 'promise: the order of the keys, and keys that are made of several fields',
  'http/api/checks/check-fields.ts': 'promise: the order in which a request is checked, its deprecated names',
  'storage/pings/recording/ping-plan.ts': 'rule: which pings have to be read',
  'storage/alerts/digest-facts.ts': 'rule: when the ping that is missing was expected',
  'storage/alerts/facts/broken-limit.ts': 'rule: which limit took a check down',
  'core/config/check-settings.ts': 'a file has one field for each kind of schedule',
  'core/incidents/cause-detail.ts': 'rule: what is known about the failure that opened an incident',
  'storage/incidents/store-incidents.ts': 'rule: what is known about the failure that opened an incident',
  'core/incidents/dependency.ts': 'rule: how long a check waits for those that it depends on',
  'storage/incidents/dependencies/dependency-spans.ts':
    'rule: how long a check waits for those that it depends on',
  'storage/incidents/dependencies/wake-dependants.ts':
    'rule: how long a check waits for those that it depends on',
  'integrations/text/alert-text.ts': 'words about the period',
  'integrations/text/down-reason.ts': 'words about a ping that did not come',
  'http/foreign/sentry-check-in.ts': 'promise: the settings that a monitor of Sentry has',
  'http/web/dev/sample-alerts.ts': 'widget: invented alerts',
  'views/components/checks/bulk-edit/edit-lines.ts': 'words about settings',
  'views/components/checks/check-about.tsx': 'words about settings',
  'views/components/pings/run-list.tsx': 'words about a run that was too short',
  'views/components/checks/schedule-preview.tsx': 'words about the period',
  'views/components/checks/schedule-words.tsx': 'words about the period',
  'views/components/checks/state-sentence.tsx': 'words about a pause',
  'views/snippets/runners.ts': 'rule: the period as a crontab line',
  'client/own-api/checks.ts': 'written from the tables',
}

test('a field of a check is named outside its table only where there is a reason', () => {
  // A plain word such as `name` says nothing of checks; one of several words does.
  const names = FIELD_LIST.flatMap(({ name, column, api = '' }) => [name, column, api])
  const own = names.filter(name => /[A-Z_]/.test(name))
  const naming = new RegExp(`\\b(${[...new Set(own)].join('|')})\\b`)
  const users = files.filter(name => naming.test(withoutComments(readFileSync(join(src, name), 'utf8'))))
  const tables = ['core/checks/check-fields.ts', 'core/checks/run-fields.ts']
  const expected = [...tables, ...Object.keys(FIELD_USERS)]
  assert.deepEqual(users.filter(name => !RULES.some(rules => name.startsWith(rules))).sort(), expected.sort())
})

test('generated code uses only names from tables', () => {
  const compilers = files.filter(name =>
    /new Function\b|\beval\(/.test(readFileSync(join(src, name), 'utf8')),
  )
  assert.deepEqual(compilers.sort(), ['core/wire/json-maker.ts', 'storage/object-maker.ts'])
  const callers = files.filter(name =>
    importsOf(name).some(found => /\/(json-maker|object-maker)\.js$/.test(found)),
  )
  assert.deepEqual(callers.sort(), [
    'core/wire/check.ts',
    'core/wire/native-check.ts',
    'storage/checks/rows/check-rows.ts',
    'storage/checks/rows/new-rows.ts',
    'storage/sqlite/engines/row-objects.ts',
  ])
})

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '')
}

/** The modules that import each other, as paths from one back to itself. */
function cycles(): string[] {
  const known = new Set(files)
  const imported = (name: string) =>
    importsOf(name).flatMap(specifier => {
      const path = relative(src, resolve(dirname(join(src, name)), specifier)).replace(/\.js$/, '')
      return [`${path}.ts`, `${path}.tsx`].filter(one => specifier.startsWith('.') && known.has(one))
    })
  const found: string[] = []
  const finished = new Set<string>()
  const walk = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name)
    if (start >= 0) found.push([...path.slice(start), name].join(' > '))
    if (start >= 0 || finished.has(name)) return
    for (const next of imported(name)) walk(next, [...path, name])
    finished.add(name)
  }
  for (const name of files) walk(name, [])
  return found
}
