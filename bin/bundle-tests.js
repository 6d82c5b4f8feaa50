// Bundles the tests with shared chunks, because loading a thousand modules takes each process a second of CPU time.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Threads, whose file must be next to the module that starts them, and the module that closes shared resources. */
const SHARED = ['src/storage/sqlite/worker.js', 'src/lib/mail/mail-thread.js', 'test/_support/at-end.js']

/** Bundles every compiled test file of `folder` into `folder`/bundled, under the same path. */
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
