import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoted } from '../../../src/core/wire/json.js'

/** The same text, written the plain way. */
function plainly(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

test('every character beyond ASCII is escaped, wherever it stands in a text of any length', () => {
  const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join('')
  for (const text of [all, `${'x'.repeat(4_095)}\u{1f512}é`, 'é', '', 'plain', '"\\\n\u007f']) {
    assert.equal(quoted(text), plainly(text))
    assert.equal(JSON.parse(quoted(text)), text)
  }
})

test('a long text beyond ASCII takes a fraction of what one callback per character takes', () => {
  const text = 'é'.repeat(300_000)
  const cost = (write: (text: string) => string) => {
    const times = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      write(text)
      const { user, system } = process.cpuUsage(before)
      return user + system
    })
    return Math.min(...times)
  }
  assert.ok(cost(quoted) < cost(plainly) / 2)
})
