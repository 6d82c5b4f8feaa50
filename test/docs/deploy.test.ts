import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsTable } from '../../src/config.js'
import { packageRoot } from '../../src/lib/package-root.js'

/** How each file in deploy/ writes a setting; the first group is its name. */
const FILES: Record<string, RegExp> = {
  Dockerfile: /(?<=^ENV .*)\b([A-Z_]+)=/gm,
  'compose.yaml': /^ {6}([A-Z_]+): /gm,
  'punctual.service': /(?<=^Environment=.*)\b([A-Z_]+)=/gm,
  'kubernetes.yaml': /(?:^ {2}|name: |literal=)([A-Z_]+)(?=[:=,])/gm,
}

/** What is set there for others: Node.js and the image of PostgreSQL. */
const OTHERS = /^(NODE_ENV|POSTGRES_.*)$/

for (const [file, pattern] of Object.entries(FILES)) {
  test(`deploy/${file} sets only what there is to set`, () => {
    const text = readFileSync(join(packageRoot, 'deploy', file), 'utf8')
    const named = [...text.matchAll(pattern)].map(match => match[1]!).filter(name => !OTHERS.test(name))
    assert.ok(named.length > 0, 'the pattern finds nothing')
    const known = new Set(Object.keys(settingsTable()).flatMap(name => [name, `${name}_FILE`]))
    assert.deepEqual(
      named.filter(name => !known.has(name)),
      [],
    )
  })
}

test('the unit for systemd starts Punctual after the network is up and the clock is set', () => {
  const unit = readFileSync(join(packageRoot, 'deploy/punctual.service'), 'utf8')
  assert.deepEqual(/^After=(.*)$/m.exec(unit)?.[1]?.split(' '), ['network-online.target', 'time-sync.target'])
})
