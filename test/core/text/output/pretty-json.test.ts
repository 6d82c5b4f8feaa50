import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexDump, isBinary } from '../../../../src/core/text/output/hex-dump.js'
import { prettyJson } from '../../../../src/core/text/output/pretty-json.js'

test('JSON has a line for each value, as JSON.stringify writes it', () => {
  for (const value of [
    { a: 1, b: [1, 'x: {', {}, []], c: { d: null, 'e"\\': true } },
    [],
    {},
    [[1], [2]],
    [''],
    { '': -1.5e-9 },
  ]) {
    assert.equal(prettyJson(JSON.stringify(value)), JSON.stringify(value, null, 2))
    assert.equal(prettyJson(JSON.stringify(value, null, 7)), JSON.stringify(value, null, 2))
  }
})

test('values stay as they were sent', () => {
  const sent = '{"id":12345678901234567890,"id":1.0,"s":"\\u0041"}'
  assert.equal(prettyJson(sent)!.replace(/\s/g, ''), sent)
})

test('other texts, and JSON that would be too long or too deep, are not formatted', () => {
  const deep = `${'['.repeat(50)}${']'.repeat(50)}`
  const wide = `${'['.repeat(39)}${'1,'.repeat(5_000)}1${']'.repeat(39)}`
  const long = JSON.stringify(Array(20_000).fill(1))
  for (const text of ['', 'null', '12', '"x"', '{"a":1', '{a: 1}', '[1] done', deep, wide, long]) {
    assert.equal(prettyJson(text), null, text.slice(0, 20))
  }
})

test('a body is binary if it has zero bytes or much that no text has', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  for (const text of ['', 'plain', 'naïve 🙂', '\x1b[31mred\x1b[0m\r\n\t', '10%\r20%'])
    assert.equal(isBinary(bytes(text)), false)
  // A text in Latin-1, which is not UTF-8.
  assert.equal(isBinary(Buffer.from('Die Sicherung ist für heute fertig: alles prima', 'latin1')), false)
  assert.equal(isBinary(bytes('a\0b')), true)
  assert.equal(isBinary(Buffer.from('89504e470d0a1a0a', 'hex')), true)
  assert.equal(isBinary(Uint8Array.from({ length: 900 }, (_, index) => 128 + (index % 128))), true)
})

test('bytes are dumped as hexdump does', () => {
  const dump = hexDump(new TextEncoder().encode('Hello, world: 17 é'))
  assert.deepEqual(dump.split('\n'), [
    '00000000  48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 3a 20 31 37  Hello, world: 17',
    '00000010  20 c3 a9                                          ..',
  ])
})
