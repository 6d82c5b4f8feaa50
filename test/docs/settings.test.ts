import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { settingsTable } from '../../src/config.js'
import { operatorSettings } from '../../src/integrations/index.js'
import { packageRoot } from '../../src/lib/package-root.js'

test('the tables of settings are up to date (else: npm run docs)', async () => {
  const { settingsPages } = await import(pathToFileURL(join(packageRoot, 'bin/docs/settings.js')).href)
  const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')
  const pages: Map<string, string> = settingsPages(settingsTable(operatorSettings), read)
  assert.equal(pages.size, 1)
  for (const [path, text] of pages) assert.equal(read(path), text, path)
})
