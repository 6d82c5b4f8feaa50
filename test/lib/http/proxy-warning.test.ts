import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProxyWarning } from '../../../src/lib/http/proxy-warning.js'

test('an untrusted proxy is logged once, with its address', () => {
  const lines: unknown[] = []
  const warn = createProxyWarning({ warn: (message, fields) => void lines.push([message, fields]) })
  warn('10.0.0.2')
  warn('10.0.0.3')
  assert.equal(lines.length, 1)
  assert.match(JSON.stringify(lines), /TRUSTED_PROXIES.*10\.0\.0\.2/)
})
