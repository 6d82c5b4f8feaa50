#!/usr/bin/env node
// Writes the pages of docs/ that are generated from the code. `npm run docs` builds first.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { integrations } from '../dist/integrations/index.js'
import { integrationPages } from './docs/integrations.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

for (const [path, text] of [...integrationPages(integrations)]) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(path)
}
