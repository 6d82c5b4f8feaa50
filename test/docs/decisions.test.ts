import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../src/lib/package-root.js'

const folder = join(packageRoot, 'docs/decisions')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const records = readdirSync(folder).filter(file => /^\d{4}-.*\.md$/.test(file) && !file.startsWith('0000'))

test('the index of decisions lists each record once, by its title', () => {
  const listed = [...read('README.md').matchAll(/^- \[(.+)\]\((\d{4}-.+\.md)\): /gm)]
  const titles = listed.map(([, title, file]) => [file, title]).sort()
  const expected = records.map(file => [file, /^# (\d{4}): (.+)$/m.exec(read(file))!.slice(1).join(' ')])
  assert.deepEqual(titles, expected.sort())
})

test('a decision record has at most 60 lines', () => {
  const long = records.filter(file => read(file).trimEnd().split('\n').length > 60)
  assert.deepEqual(long, [])
})

test('each decision has its own number', () => {
  assert.equal(new Set(records.map(file => file.slice(0, 4))).size, records.length)
})
