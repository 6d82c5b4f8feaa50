import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expand, type Placeholder, urlPart } from '../../../src/integrations/text/placeholders.js'

const values = (name: string): Placeholder[] => [
  ['NAME_JSON', JSON.stringify(name)],
  ['NAME', name],
  ['TAGS', 'a b'],
  ['TAG1', 'a'],
  ['TAG2', 'b'],
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
  for (const [template, name, expected] of table) assert.equal(expand(template, values(name)), expected)
})

test('a part of a URL is percent-encoded except for slashes', () => {
  assert.equal(urlPart("a/b c?d=e&f#g%+'(!)*~"), 'a/b%20c%3Fd%3De%26f%23g%25%2B%27%28%21%29%2A~')
  assert.equal(urlPart('\u0101\ud800'), '%C4%81%EF%BF%BD')
})
