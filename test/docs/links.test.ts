import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../src/lib/package-root.js'

const docs = readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
const pages = [...docs.map(file => join('docs', file)), ...readdirSync(packageRoot)].filter(file =>
  file.endsWith('.md'),
)

test('every link from a document to a file works', () => {
  const broken = pages.flatMap(page =>
    [...readFileSync(join(packageRoot, page), 'utf8').matchAll(/\]\((?!https?:|mailto:|#|\/)([^)\s#]+)/g)]
      .filter(([, target]) => !existsSync(join(packageRoot, dirname(page), target!)))
      .map(([, target]) => `${page}: ${target}`),
  )
  assert.ok(pages.length > 20)
  assert.deepEqual(broken, [])
})
