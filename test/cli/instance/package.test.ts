/** The package as npm brings it, in a folder that has nothing else. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, normalize, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { packageRoot } from '../../../src/lib/package-root.js'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { installedIn } from '../../../src/storage/sqlite/engines/install.js'
import { type Finished, freshInstallation, serving } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'

const folder = mkdtempSync(join(tmpdir(), 'punctual-package-'))
const tarball = join(folder, 'packed', 'punctual.tgz')
const installed = join(folder, 'prefix', 'lib', 'node_modules', 'punctual')
/** Files of the package by their path in it. */
let files: string[]

/** What a program of npm is started with: this Node.js, and downloads that no other run has left behind. */
const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
const npmEnv = { ...process.env, PATH: path, npm_config_cache: join(folder, 'cache') }

before(async () => {
  for (const name of ['packed', 'prefix', 'empty']) mkdirSync(join(folder, name))
  // The build that is tested is there already.
  const packed = await run('npm', ['pack', packageRoot, '--ignore-scripts', '--pack-destination', 'packed'])
  assert.equal(packed.code, 0, packed.stderr)
  cpSync(join(folder, 'packed', packed.stdout.trim()), tarball)
  const done = await run('npm', ['install', '--global', '--prefix', join(folder, 'prefix'), tarball])
  assert.equal(done.code, 0, done.stderr)
  files = readdirSync(installed, { recursive: true })
    .map(String)
    .filter(name => !name.startsWith('node_modules') && statSync(join(installed, name)).isFile())
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('the package contains every file that its documents link to', () => {
  const broken = files
    .filter(name => name.endsWith('.md'))
    .flatMap(name => linksIn(name).filter(target => !files.includes(target) && !isFolder(target)))
  assert.deepEqual(broken, [])
})

test('the package has no sources, tests, source maps and unneeded declarations', () => {
  const wanted =
    /^(dist\/[\w-]+\.c?js|dist\/types\/(import|require)\/((client|core)\/.*\.d\.ts|package\.json)|(static|docs|deploy)\/.*|old-node\/package(-lock)?\.json|src\/.*\.(sql|txt\.br)|package\.json|LICENSE|[A-Z]+\.md)$/
  assert.deepEqual(
    files.filter(name => !wanted.test(name)),
    [],
  )
})

test('nothing is compiled when the package is installed', () => {
  assert.deepEqual(
    readdirSync(join(folder, 'prefix'), { recursive: true }).filter(name =>
      /\.node$|better-sqlite3$/.test(String(name)),
    ),
    [],
  )
})

test('installed globally, it serves from an empty folder', async t => {
  // What the first start on an old Node.js takes minutes to compile was compiled for these tests.
  if (!ownsSqlite)
    cpSync(installedIn, join(installed, relative(packageRoot, installedIn)), { recursive: true })
  const env = await freshInstallation(t)
  const server = await serving(t, env, [], [], join(folder, 'prefix', 'bin', 'punctual'))
  const [, check] = await eventually(() => /\/ping\/(\S+)/.exec(server.output.stdout))
  assert.equal(await (await fetch(`${server.url}/ping/${check}`)).text(), 'OK')
  assert.match(server.output.stdout, /^ {2}punctual key create /m)
  assert.equal(await server.end('SIGTERM'), 0)
})

test('npx runs it from an empty folder', async () => {
  const { code, stdout, stderr } = await run('npx', ['--yes', '--package', tarball, 'punctual', 'config'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^database +(node:sqlite|better-sqlite3 [\d.]+) /m)
})

const ownsSqlite = sqliteEngine().name === 'node:sqlite'

if (!ownsSqlite) {
  test('an old Node.js without a compiler prints one sentence that says so', async t => {
    rmSync(join(installed, relative(packageRoot, installedIn)), { recursive: true, force: true })
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    for (const name of ['node', 'npm', 'sh', 'env']) symlinkSync(await pathOf(name), join(bin, name))
    const env = {
      ...npmEnv,
      ...(await freshInstallation(t)),
      PATH: bin,
      npm_config_build_from_source: 'true',
    }
    const { code, stdout, stderr } = await run('punctual', ['migrate'], env)
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(
      stderr,
      /^punctual: Node\.js 2\S+ has no SQLite that Punctual can use, so one is installed now, once\./,
    )
    assert.match(
      stderr,
      /\npunctual: SQLite for Node\.js \S+ was not installed: [^\n]*a C\+\+ compiler, make and Python 3[^\n]*\n$/,
    )
  })
}

async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = npmEnv,
): Promise<Finished> {
  return await new Promise(resolve => {
    const options = { cwd: program === 'npm' ? folder : join(folder, 'empty'), env }
    const file = program === 'punctual' ? join(folder, 'prefix', 'bin', 'punctual') : program
    execFile(file, [...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

async function pathOf(program: string): Promise<string> {
  return (await run('sh', ['-c', `command -v ${program}`])).stdout.trim()
}

/** The files that a document links to, by their path in the package. */
function linksIn(name: string): string[] {
  const text = readFileSync(join(installed, name), 'utf8')
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)|src="([^"]+)"/g)]
    .map(match => (match[1] ?? match[2])!)
    .filter(link => !/^[a-z]+:/.test(link))
    .map(link => normalize(join(dirname(name), link)))
}

function isFolder(target: string): boolean {
  return files.some(name => name.startsWith(target.endsWith('/') ? target : `${target}/`))
}
