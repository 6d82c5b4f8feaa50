#!/usr/bin/env node
// Runs the checks and the tests. `npm test` runs all tests, `npm test -- ping api` the files whose path contains one of
// the words, `npm run lint` only the checks. The first run installs the test dependencies.
// `npm run test:laws` runs the tests over random histories with many more histories (`--long`).
// Tests of the store run on both SQLite and PostgreSQL; `--sqlite` or `--postgres` selects one. The PostgreSQL server is
// the one that PUNCTUAL_TEST_POSTGRES names, or one started here, from PUNCTUAL_TEST_POSTGRES_BIN if that is set.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileTests } from './compile-tests.js'
import { groupTests } from './group-tests.js'
import { withLock } from './lock.js'
import { processorSeconds } from './processor-time.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const testDir = join(root, 'test')
/** Where the browser for the tests is unpacked; see test/_support/browser/chromium.ts. */
const chromium = join(testDir, 'node_modules', '.chromium')
const words = process.argv.slice(2).filter(arg => !arg.startsWith('--'))
const lintOnly = process.argv.includes('--lint')
const isLong = process.argv.includes('--long')
const only = ['sqlite', 'postgres'].find(engine => process.argv.includes(`--${engine}`))

/** The number of files whose processor time is printed. */
const COSTLIEST = 10

// Folders whose tests run on both engines. Subfolders named after an engine have the tests of that engine only.
const onBothEngines = ['actions', 'api', 'http', 'jobs', 'ping', 'smtp', 'storage', 'web']

// Of `web`, PostgreSQL runs all where words choose them, as bin/ci does, and otherwise these: they ask the store for what no
// other test on PostgreSQL does.
const webOnPostgres = [
  'base-path',
  'channels/unsubscribe',
  'checks/bulk-edit',
  'checks/check-actions',
  'checks/checks-access',
  'checks/checks-list',
  'checks/crontab',
  'checks/runs-form',
  'checks/undo',
  'events/changes',
  'held-requests',
  'incidents/dependencies',
  'incidents/incidents',
  'incidents/policies',
  'instance/search',
  'live/live',
  'people/account',
  'people/proven-address',
  'pings/runs',
  'projects/project-settings',
  'projects/wall',
  'silences/silences',
].map(name => join('web', `${name}.test.js`))

await withLock(join(testDir, '.installing'), installTestPackages)
run(process.execPath, [
  join(testDir, 'node_modules/@biomejs/biome/bin/biome'),
  'check',
  '--error-on-warnings',
  root,
])
const buildDir = await compileTests()
if (lintOnly) process.exit(0)

const testFiles = readdirSync(join(buildDir, 'test'), { recursive: true })
  .map(String)
  .filter(name => name.endsWith('.test.js'))
const idle = words.filter(word => !testFiles.some(name => name.includes(word)))
if (idle.length > 0) fail(`no test file matches ${idle.join(' or ')}`)
const files = testFiles
  .filter(name => words.length === 0 || words.some(word => name.includes(word)))
  // These need Citus, which `npm run test:extra` starts.
  .filter(name => process.env.PUNCTUAL_TEST_WORKERS || !name.split(sep).includes('citus'))
  .sort()
if (files.length === 0) fail(`no test file matches ${words.join(' ')}`)
// The whole suite also tests the built program, so the build must be up to date.
run(process.execPath, [join(root, 'bin/build.js'), '--if-needed'])
run(process.execPath, [join(root, 'dist/prepare-sqlite.js')])
const onSqlite = only === 'postgres' ? [] : files.filter(name => !isFor(name, 'postgres'))
const onPostgres = only === 'sqlite' ? [] : files.filter(name => runsOn(name, 'postgres'))
/** What failed, by engine; printed last, so that what is kept of a long output has it. */
const failed = []
if (onSqlite.length > 0) await runTests('sqlite', onSqlite, {})
if (onPostgres.length > 0) {
  const { startTestServer } = await import(
    pathToFileURL(join(buildDir, 'test/_support/servers/postgres-server.js')).href
  )
  const server = await startTestServer(process.env.PUNCTUAL_TEST_POSTGRES)
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => server.stop().finally(() => process.exit(1)))
  }
  try {
    await runTests('postgres', onPostgres, { PUNCTUAL_TEST_TEMPLATE: server.url })
  } finally {
    await server.stop()
  }
}
if (failed.length > 0) fail(failed.join(''))

function runsOn(name, engine) {
  if (isFor(name, engine)) return true
  const other = engine === 'sqlite' ? 'postgres' : 'sqlite'
  const [folder] = name.split(sep)
  if (!onBothEngines.includes(folder) || isFor(name, other)) return false
  if (words.length === 0 && folder === 'web' && !webOnPostgres.includes(name)) return false
  // Browser tests are slow, and both engines give the same results.
  return !readFileSync(join(buildDir, 'test', name), 'utf8').includes('_support/browser/browser.js')
}

function isFor(name, engine) {
  return name.split(sep).includes(engine)
}

async function runTests(engine, names, env) {
  console.log(`Running ${names.length} test files on ${nameOf(engine)}`)
  const folder = join(buildDir, `run-${process.pid}-${engine}`)
  const costs = join(folder, 'costs')
  const failures = join(folder, 'failures')
  const options = [
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(root, 'bin/failed-tests.js')}`,
    `--test-reporter-destination=${failures}`,
    '--enable-source-maps',
    // More than the two cores of most CI machines, because tests often wait for disks and other programs.
    '--test-concurrency=3',
    `--test-timeout=${isLong ? 14_400_000 : 1_200_000}`,
  ]
  const from = processorSeconds()
  try {
    const groups = groupTests(buildDir, folder, names)
    const tests = spawn(process.execPath, [...options, ...groups], {
      stdio: 'inherit',
      cwd: root,
      env: {
        ...process.env,
        ...env,
        ...(isLong && { PUNCTUAL_TEST_LONG: '1' }),
        PUNCTUAL_TEST_ENGINE: engine,
        PUNCTUAL_TEST_COSTS: costs,
      },
    })
    const [code] = await once(tests, 'exit')
    printCosts(costs, processorSeconds() - from)
    if (code !== 0) failed.push(`Failed on ${nameOf(engine)}:\n${readFileSync(failures, 'utf8')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function nameOf(engine) {
  return engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
}

/** Prints which test files took the most processor time, not counting what they do while they are loaded. */
function printCosts(path, total) {
  if (!existsSync(path)) return
  const costs = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  console.log(`Processor time: ${total.toFixed(0)} s. The costliest files:`)
  for (const { name, seconds } of costs.sort((a, b) => b.seconds - a.seconds).slice(0, COSTLIEST)) {
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`)
  }
}

function installTestPackages() {
  const lock = readFileSync(join(testDir, 'package-lock.json'), 'utf8')
  const stamp = join(testDir, 'node_modules', '.installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    console.log(`Installing the test dependencies in ${relative(process.cwd(), testDir) || '.'}/node_modules`)
    // Not `npm ci`: it rejects a lock file without the binary of a platform that the registry does not have.
    run('npm', ['install', '--no-save'], testDir)
    rmSync(chromium, { recursive: true, force: true })
    // Removed first, because a copy of the checkout may share files through hard links.
    rmSync(stamp, { force: true })
    writeFileSync(stamp, lock)
  }
  if (process.platform === 'linux' && !existsSync(chromium)) unpackChromium()
}

/** Not when a test needs it: of several processes, one would start a file that another still writes. */
function unpackChromium() {
  const part = `${chromium}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part)
  // The package unpacks into the folder for temporary files.
  const unpack = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"
  run(process.execPath, ['-e', unpack], testDir, { ...process.env, TMPDIR: part })
  renameSync(part, chromium)
}

function run(command, args, cwd = root, env = process.env) {
  const { status, signal } = spawnSync(command, args, {
    stdio: 'inherit',
    cwd,
    env,
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail(`${command} ${args[0]} ended with ${signal ?? `exit code ${status}`}`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
