import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../src/lib/package-root.js'

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')

const sections = new Set(
  [...read('docs/behaviour.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm)].map(([, number]) => number!),
)

const sources = ['src', 'test'].flatMap(folder =>
  readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/node_modules|\.build/.test(file))
    .map(file => join(folder, file)),
)

test('every section that a comment names is in docs/behaviour.md', () => {
  const named = sources.flatMap(file =>
    [...read(file).matchAll(/behaviour\.md, sections? ([\d.]*\d)(?: (?:and|to) ([\d.]*\d))?/g)].flatMap(
      ([, first, second]) =>
        [first, second].filter(number => number !== undefined).map(number => [file, number]),
    ),
  )
  assert.ok(named.length > 100)
  assert.deepEqual(
    named.filter(([, number]) => !sections.has(number!)),
    [],
  )
})

test('a comment that names a section also names the document', () => {
  const unclear = sources.flatMap(file =>
    read(file)
      .split('\n')
      .filter(line => /^\s*(\/\*)?[*/]/.test(line) && /\bsections? \d/.test(line))
      .filter(line => !/behaviour\.md|RFC|NIST|ECMA/.test(line))
      .map(line => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(unclear, [])
})
