import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { openApiDocument } from '../../src/http/api/openapi.js'
import { nativeDocument } from '../../src/http/native/openapi.js'
import { inTurns } from '../../src/lib/in-turns.js'

/** Rules of taste, and what they are about here. */
const OFF = {
  // Healthchecks has the slash, and so have the programs written for it.
  'no-path-trailing-slash': 'off',
  // A health check needs no key and takes no input.
  'operation-4xx-response': 'off',
} as const

/** What Redocly's recommended rules find in a document. */
async function problemsOf(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: OFF })
  const found = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  })
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

const document = await inTurns(openApiDocument('https://punctual.test', 'Punctual', '1.0.0'))

test('the OpenAPI document follows the recommended rules', async () => {
  assert.deepEqual(await problemsOf(document), [])
})

test("the OpenAPI document of Punctual's own API follows them too", async () => {
  const native = await inTurns(nativeDocument('https://punctual.test', 'Punctual', '1.0.0'))
  assert.deepEqual(await problemsOf(native), [])
})

test('the rules find two paths that differ only in the name of a placeholder', async () => {
  const paths = { ...document.paths, '/checks/{unique_key}': document.paths['/checks/{uuid}'] }
  assert.match((await problemsOf({ ...document, paths })).join('\n'), /no-identical-paths/)
})
