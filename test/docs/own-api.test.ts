import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nativeRoutes } from '../../src/http/native/native-routes.js'
import { packageRoot } from '../../src/lib/package-root.js'

const text = readFileSync(join(packageRoot, 'docs/api.md'), 'utf8')

test('the page about the API lists every operation of Punctual’s own API', () => {
  const listed = text.split('\n').filter(line => line.startsWith('| `') && line.includes('/api/punctual/v1/'))
  const missing = nativeRoutes.flatMap(({ path, methods, sameAs }) =>
    sameAs === undefined
      ? Object.keys(methods).filter(
          method => !listed.some(line => line.includes(`${path}\``) && line.includes(method)),
        )
      : [],
  )
  assert.deepEqual(missing, [])
})
