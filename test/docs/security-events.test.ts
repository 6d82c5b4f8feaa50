import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { SECURITY_EVENTS } from '../../src/lib/log/security-events.js'
import { packageRoot } from '../../src/lib/package-root.js'

test('the page about the security log is up to date (else: npm run docs)', async () => {
  const { securityEventPages } = await import(
    pathToFileURL(join(packageRoot, 'bin/docs/security-events.js')).href
  )
  const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')
  const pages: Map<string, string> = securityEventPages(SECURITY_EVENTS, read)
  assert.equal(pages.size, 1)
  for (const [path, text] of pages) assert.equal(read(path), text, path)
})
