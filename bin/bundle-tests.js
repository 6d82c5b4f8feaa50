// The tests as bundles that share their parts: a thousand modules take a second of processor time to load, in every process.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Threads of the program, which find their file beside the module that starts them, and what closes what tests share. */
const SHARED = ['src/storage/sqlite/worker.js', 'src/lib/mail/mail-thread.js', 'test/_support/at-end.js']

/** Bundles every compiled test file of `folder` into `folder`/bundled, under the path that it has there. */
export async function bundleTests(folder) {
  const entries = readdirSync(join(folder, 'test'), { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.test.js'))
    .map(name => [join('test', name.slice(0, -'.js'.length)), join(folder, 'test', name)])
  const shared = SHARED.map(path => [
    join('shared', path.slice(path.lastIndexOf('/') + 1, -'.js'.length)),
    join(folder, path),
  ])
  await build({
    entryPoints: Object.fromEntries([...entries, ...shared]),
    outdir: join(folder, 'bundled'),
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  })
}
