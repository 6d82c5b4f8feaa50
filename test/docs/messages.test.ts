import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sampleMessages } from '../../src/http/web/dev/sample-messages.js'
import { packageRoot } from '../../src/lib/package-root.js'

test('the page of all messages is up to date (else: npm run docs)', async () => {
  const { messagePages } = await import(pathToFileURL(join(packageRoot, 'bin/docs/messages.js')).href)
  const pages: Map<string, string> = await messagePages(sampleMessages)
  for (const [path, text] of pages) assert.equal(readFileSync(join(packageRoot, path), 'utf8'), text, path)
})
