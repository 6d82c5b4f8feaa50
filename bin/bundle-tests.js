// Bundles the tests with shared chunks, because loading a thousand modules takes each process a second of CPU time.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { BUNDLED_PACKAGES, REQUIRE } from './bundled-packages.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = ['package.json', 'test/package.json'].flatMap(path => {
  const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(root, path), 'utf8'))
  return Object.keys({ [name]: '', ...dependencies, ...devDependencies })
})

/** Threads and processes, whose file must be next to the module that starts them. */
const THREADS = [
  'src/storage/sqlite/worker.js',
  'src/lib/mail/mail-thread.js',
  'test/_support/worlds/shared-thread.js',
  'test/_support/command-process.js',
]

/** The module that closes shared resources. */
const AT_END = 'test/_support/at-end.js'

const options = {
  bundle: true,
  external: packages.filter(name => !BUNDLED_PACKAGES.includes(name)),
  platform: 'node',
  format: 'esm',
  banner: { js: REQUIRE },
  target: 'node20',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
}

/** Bundles every compiled test file of `folder` into `folder`/bundled, under the same path. */
export async function bundleTests(folder) {
  const tests = readdirSync(join(folder, 'test'), { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.test.js'))
    .map(name => join('test', name))
  const outdir = join(folder, 'bundled')
  // See src/views/jsx-runtime.ts.
  const alias = { 'hono/jsx/jsx-runtime': join(folder, 'src/views/jsx-runtime.js') }
  await build({
    ...options,
    alias,
    entryPoints: [...tests.map(path => entry(path, path)), entry(inShared(AT_END), AT_END)],
    absWorkingDir: folder,
    outdir,
    chunkNames: 'shared/[name]-[hash]',
    splitting: true,
  })
  // Not with the tests: a chunk that they share with a thread has more than the thread needs.
  await build({
    ...options,
    alias,
    entryPoints: THREADS.map(path => entry(inShared(path), path)),
    absWorkingDir: folder,
    outdir,
  })
}

function inShared(path) {
  return join('shared', basename(path))
}

function entry(to, from) {
  return { in: from, out: to.slice(0, -'.js'.length) }
}
