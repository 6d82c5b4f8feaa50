#!/usr/bin/env node
// `npm start`: builds if a source file is newer than the last build, then runs the server in this process.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const bin = dirname(fileURLToPath(import.meta.url))
const main = join(bin, '..', 'dist', 'main.js')

const build = spawnSync(process.execPath, [join(bin, 'build.js'), '--if-needed'], { stdio: 'inherit' })
if (build.status !== 0) process.exit(build.status ?? 1)

// A signal to npm ends its shell, and most shells do not forward it, which would leave the server running.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 500).unref()

process.argv = [process.execPath, main, 'serve', ...process.argv.slice(2)]
await import(pathToFileURL(main).href)
