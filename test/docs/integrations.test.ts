import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { integrations } from '../../src/integrations/index.js'
import { packageRoot } from '../../src/lib/package-root.js'

test('the pages of the integrations are up to date (else: npm run docs)', async () => {
  const { integrationPages } = await import(pathToFileURL(join(packageRoot, 'bin/docs/integrations.js')).href)
  const pages: Map<string, string> = integrationPages(integrations)
  const kept = readdirSync(join(packageRoot, 'docs/integrations')).map(name => `docs/integrations/${name}`)
  assert.deepEqual(kept.sort(), [...pages.keys()].sort())
  for (const [path, text] of pages) assert.equal(readFileSync(join(packageRoot, path), 'utf8'), text, path)
})
