import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleTests } from './bundle-tests.js'
import { withLock } from './lock.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const builds = join(root, 'test', '.build')
/** What the result depends on besides the sources. */
const DETERMINING = [
  'package-lock.json',
  'tsconfig.json',
  'test/tsconfig.json',
  'test/package-lock.json',
  'bin/bundle-tests.js',
  'bin/bundled-packages.js',
]
const KEPT_MS = 24 * 3_600_000

/**
 * Type-checks and compiles src/, test/ and bench/, and bundles the tests. Each state of the sources has its own folder,
 * so that concurrent runs in one checkout do not interfere. Returns the folder. Exits on a type error.
 */
export async function compileTests() {
  const folder = join(builds, stateOfSources())
  const done = join(folder, '.compiled')
  await withLock(join(builds, '.lock'), async () => {
    removeOldBuilds()
    if (existsSync(done)) return utimesSync(done, new Date(), new Date())
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const args = [tsc, '-p', join(root, 'test'), '--outDir', folder]
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root })
    if (status !== 0) {
      rmSync(folder, { recursive: true, force: true })
      console.error('The sources do not compile.')
      process.exit(1)
    }
    await bundleTests(folder)
    writeFileSync(done, '')
  })
  return folder
}

function stateOfSources() {
  const hash = createHash('sha256')
  for (const name of DETERMINING) hash.update(readFileSync(join(root, name)))
  for (const folder of ['src', 'test', 'bench'])
    for (const path of sourcesIn(join(root, folder))) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) return []
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return sourcesIn(path)
      return /\.tsx?$/.test(entry.name) ? [path] : []
    })
}

function removeOldBuilds() {
  for (const name of readdirSync(builds)) {
    const done = join(builds, name, '.compiled')
    const usedAt = existsSync(done) ? statSync(done).mtimeMs : 0
    if (name !== '.lock' && Date.now() - usedAt > KEPT_MS)
      rmSync(join(builds, name), { recursive: true, force: true })
  }
}
