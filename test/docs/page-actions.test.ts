import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { routes as v3Routes } from '../../src/http/api/routes.js'
import { nativeRoutes } from '../../src/http/native/native-routes.js'
import { routes as pages } from '../../src/http/web/routes.js'
import { packageRoot } from '../../src/lib/package-root.js'

const text = readFileSync(join(packageRoot, 'docs/api.md'), 'utf8')
const rowsBetween = (from: string, to: string) =>
  [...text.slice(text.indexOf(from), text.indexOf(to)).matchAll(/^\| `(\/[^`]*)` \| (.+) \|$/gm)].map(
    ([, path, by]) => ({ path: path!, by: by! }),
  )
const rows = rowsBetween('### What pages do\n', '### What pages show\n')
const shown = rowsBetween('### What pages show\n', '\n## Badges')
const actions = pages.filter(({ method }) => method === 'POST').map(({ path }) => path)

test('the page about the API has every address to which pages post, and no other', () => {
  assert.deepEqual(rows.map(({ path }) => path).sort(), [...new Set(actions)].sort())
})

test('the page about the API has every page that only shows something, and no other', () => {
  const isForm = (path: string) => actions.includes(path)
  const isDocument = (path: string) => /^\/(docs|dev)\//.test(path) || path.startsWith('/docs/api')
  const only = pages.filter(
    ({ method, path, live }) => method === 'GET' && !live && !isForm(path) && !isDocument(path),
  )
  assert.deepEqual(shown.map(({ path }) => path).sort(), only.map(({ path }) => path).sort())
})

test('every action and every page has operations that exist, or a reason', () => {
  const known = new Set(
    [...nativeRoutes, ...v3Routes].flatMap(({ methods }) => Object.values(methods).map(({ id }) => id)),
  )
  for (const { path, by } of [...rows, ...shown]) {
    // Names of operations have a capital letter within; members of answers do not.
    const named = [...by.matchAll(/`([a-z]+[A-Z]\w+)`/g)].map(([, id]) => id!)
    for (const id of named) assert.ok(known.has(id), `${path}: there is no operation ${id}`)
    assert.ok(named.length > 0 || /^[A-Z].{15,}\.$/.test(by), `${path} has neither an operation nor a reason`)
  }
})
