import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  endWithinBytes,
  expand,
  type Placeholder,
  urlPart,
} from '../../../src/integrations/text/placeholders.js'

const placeholder = (name: string, value: string): Placeholder => ({
  name,
  value: () => value,
  cut: () => '[cut]',
})

const values = (name: string): Placeholder[] => [
  placeholder('NAME_JSON', JSON.stringify(name)),
  placeholder('NAME', name),
  placeholder('TAGS', 'a b'),
  placeholder('TAG1', 'a'),
  placeholder('TAG2', 'b'),
]

test('placeholders are replaced in one pass, the first that fits winning', () => {
  const table: [string, string, string][] = [
    ['$NAME', 'Backup', 'Backup'],
    ['$NAMES and $NAME_JSON', 'Backup', 'BackupS and "Backup"'],
    ['$TAG1$TAG2$TAG3', '', 'ab$TAG3'],
    ['$TAG11', '', 'a1'],
    ['$TAGS', '', 'a b'],
    ['$$NAMETAG1', '', '$TAG1'],
    ['$NAME', '$TAG1', '$TAG1'],
    ['$NAME', '$&$1$`', '$&$1$`'],
    [`$\{NAME} $name $`, 'Backup', `$\{NAME} $name $`],
    ['', 'Backup', ''],
    ['5 $ and $NAME$', 'Backup', '5 $ and Backup$'],
  ]
  for (const [template, name, expected] of table)
    assert.equal(expand(template, values(name), { bytes: 1000 }), expected)
})

test('a part of a URL is percent-encoded except for slashes', () => {
  assert.equal(urlPart("a/b c?d=e&f#g%+'(!)*~"), 'a/b%20c%3Fd%3De%26f%23g%25%2B%27%28%21%29%2A~')
  assert.equal(urlPart('\u0101\ud800'), '%C4%81%EF%BF%BD')
})

test('values that do not fit any more are cut, in all templates that share the room', () => {
  const room = { bytes: 25 }
  assert.equal(expand('$NAME$NAME$NAME', values('\u0101'.repeat(5)), room), `${'\u0101'.repeat(10)}[cut]`)
  assert.equal(expand('$NAME $TAG1', values('Backup'), room), '[cut] [cut]')
  assert.equal(room.bytes, 0)
})

test('the value of a placeholder that a template does not contain is not made', () => {
  const value = () => assert.fail('it was made')
  assert.equal(expand('$NAMES', [{ name: 'BODY', value, cut: value }], { bytes: 1000 }), '$NAMES')
})

test('a text is cut to its end so that it fits as it is written', () => {
  const cases: [text: string, room: number][] = [
    ['x'.repeat(10_000), 2_000],
    ['\u0001'.repeat(10_000), 2_000],
    [`${'x'.repeat(9_000)}${'\u{1f512}'.repeat(500)}`, 2_000],
    [`${'\u{1f512}'.repeat(500)}${'x'.repeat(9_000)}`, 2_000],
  ]
  for (const [text, room] of cases) {
    const size = JSON.stringify(text).length
    const cut = endWithinBytes(text, { room, size, render: JSON.stringify })
    assert.ok(Buffer.byteLength(cut) <= room && cut.length > 100, `${cut.length}`)
    const [sign, end] = (JSON.parse(cut) as string).split('\n')
    assert.equal(sign, '[truncated]')
    assert.ok(text.endsWith(end!) && !/^[\udc00-\udfff]/.test(end!))
  }
  assert.equal(
    endWithinBytes('x'.repeat(1_000), { room: 50, size: 1_000, render: text => text }),
    '[truncated]',
  )
})
