#!/usr/bin/env node
// Prints the section of CHANGELOG.md for a version: `bin/release-notes.js 0.1.0`. The default is that of package.json.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { releaseNotes } from './release/notes.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const read = name => readFileSync(join(root, name), 'utf8')
const version = process.argv[2] ?? JSON.parse(read('package.json')).version

try {
  process.stdout.write(releaseNotes(read('CHANGELOG.md'), version))
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
