#!/usr/bin/env node
// Compiles src/ to dist/. With --if-needed, only when a source file is newer than the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'dist', '.built')

if (process.argv.includes('--if-needed') && existsSync(stamp) && newestSource() <= statSync(stamp).mtimeMs) {
  process.exit(0)
}

rmSync(join(root, 'dist'), { recursive: true, force: true })
const result = spawnSync(process.execPath, [compiler(), '-p', root], { stdio: 'inherit', cwd: root })
if (result.status !== 0) process.exit(result.status ?? 1)
writeFileSync(stamp, '')

function newestSource() {
  const sources = existsSync(join(root, 'src')) ? readdirSync(join(root, 'src'), { recursive: true }) : []
  const paths = [...sources.map(name => join(root, 'src', String(name))), join(root, 'tsconfig.json')]
  return Math.max(...paths.map(path => statSync(path).mtimeMs))
}

function compiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  } catch {
    console.error(
      'TypeScript is not installed, so Punctual cannot be built: run `npm install --include=dev`.',
    )
    process.exit(1)
  }
}
