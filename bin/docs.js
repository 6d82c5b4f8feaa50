#!/usr/bin/env node
// Writes the pages of docs/ that are generated from the code, and the client of Punctual's own API. Run it with `npm run docs`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileTests } from './compile-tests.js'
import { integrationPages } from './docs/integrations.js'
import { messagePages } from './docs/messages.js'
import { ownApiClient } from './docs/own-api-client.js'
import { securityEventPages } from './docs/security-events.js'
import { settingsPages } from './docs/settings.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const compiled = await compileTests()
const load = path => import(pathToFileURL(join(compiled, path)).href)
const { settingsTable } = await load('src/config.js')
const { integrations, operatorSettings } = await load('src/integrations/index.js')
const { sampleMessages } = await load('src/http/web/dev/sample-messages.js')
const { SECURITY_EVENTS } = await load('src/lib/log/security-events.js')
const { nativeDocument } = await load('src/http/native/openapi.js')
const { inTurns } = await load('src/lib/in-turns.js')
const read = path => readFileSync(join(root, path), 'utf8')

/** Each returns pages by their path in the repository, or a promise of them. */
const generators = [
  () => integrationPages(integrations),
  () => messagePages(sampleMessages),
  async () => ownApiClient(await inTurns(nativeDocument('', '', ''))),
  () => securityEventPages(SECURITY_EVENTS, read),
  () => settingsPages(settingsTable(operatorSettings), read),
]

const pages = await Promise.all(generators.map(generate => generate()))
for (const [path, text] of pages.flatMap(some => [...some])) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(path)
}
