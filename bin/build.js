#!/usr/bin/env node
// Type-checks src/ and builds dist/: the program and its threads as bundles, and the client library. Unbundled, a
// thousand modules take three times as long to start and 50 % more memory. With --if-needed, builds only if a source
// file is newer than the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClient } from './build-client.js'
import { BUNDLED_PACKAGES, REQUIRE } from './bundled-packages.js'
import { onlyEnglish } from './only-english.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
// Replaces dist/ only at the end, so that a failed build keeps the previous one.
const fresh = `${dist}.${process.pid}`

if (process.argv.includes('--if-needed') && existsSync(stamp) && newestSource() <= statSync(stamp).mtimeMs) {
  process.exit(0)
}

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { tsc, esbuild } = await tools()
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))
run(process.execPath, [tsc, '-p', root, '--noEmit'])
await esbuild.build({
  absWorkingDir: root,
  // In the same folder as the shared chunks, so that a chunk finds the files of the threads next to itself.
  entryPoints: {
    main: 'src/main.ts',
    worker: 'src/storage/sqlite/worker.ts',
    'prepare-sqlite': 'src/storage/sqlite/engines/prepare.ts',
    'mail-thread': 'src/lib/mail/mail-thread.ts',
  },
  outdir: fresh,
  bundle: true,
  // See src/views/jsx-runtime.ts.
  alias: { 'hono/jsx/jsx-runtime': join(root, 'src/views/jsx-runtime.ts') },
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: Object.keys(dependencies).filter(name => !BUNDLED_PACKAGES.includes(name)),
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [onlyEnglish],
  banner: { js: REQUIRE },
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
})
await buildClient({ root, folder: fresh, tsc, esbuild })
writeFileSync(join(fresh, '.built'), '')
rmSync(dist, { recursive: true, force: true })
renameSync(fresh, dist)
run(process.execPath, [join(dist, 'prepare-sqlite.js')])

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: root })
  if (status !== 0) process.exit(status ?? 1)
}

function newestSource() {
  const sources = existsSync(join(root, 'src')) ? readdirSync(join(root, 'src'), { recursive: true }) : []
  const paths = [...sources.map(name => join(root, 'src', String(name))), join(root, 'tsconfig.json')]
  return Math.max(...paths.map(path => statSync(path).mtimeMs))
}

async function tools() {
  try {
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
    return { tsc: join(dirname(typescript), 'bin', 'tsc'), esbuild: await import('esbuild') }
  } catch {
    console.error('Punctual cannot be built without its build tools: run `npm install --include=dev`.')
    process.exit(1)
  }
}
