import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { settingsTable } from '../../src/config.js'
import { integrationOf, integrations, operatorSettings } from '../../src/integrations/index.js'
import type { Integration } from '../../src/integrations/integration.js'
import { packageRoot } from '../../src/lib/package-root.js'

const folder = join(packageRoot, 'src/integrations/kinds')

/** The kinds that the files of the folder hold. */
async function kindsInFolder(): Promise<string[]> {
  const paths = readdirSync(folder, { recursive: true })
    .map(String)
    .filter(path => path.endsWith('.ts'))
    .map(path => path.replace(/\.ts$/, ''))
  const modules = await Promise.all(
    paths.map(
      async path =>
        [basename(path), Object.values(await import(`../../src/integrations/kinds/${path}.js`))] as const,
    ),
  )
  const isIntegration = (value: unknown): value is Integration =>
    typeof value === 'object' && value !== null && 'kind' in value && 'send' in value
  return modules.flatMap(([name, values]) =>
    values.filter(isIntegration).map(({ kind }) => {
      assert.equal(kind, name, `${name}.ts is not named after its kind`)
      return kind
    }),
  )
}

test('the registry lists every kind in the folder, and each has a page', async () => {
  const listed = integrations.map(({ kind }) => kind)
  assert.deepEqual([...listed].sort(), (await kindsInFolder()).sort())
  for (const kind of listed) {
    assert.equal(integrationOf(kind)?.kind, kind)
    assert.ok(existsSync(join(packageRoot, `docs/integrations/${kind}.md`)), `docs/integrations/${kind}.md`)
  }
  assert.equal(integrationOf('pager'), undefined)
})

test('the kinds are in the order of their labels', () => {
  const labels = integrations.map(({ label }) => label)
  assert.deepEqual(
    labels,
    [...labels].sort((a, b) => a.localeCompare(b, 'en')),
  )
})

test('every kind has help, a self-contained logo, and consistent fields', () => {
  for (const { kind, help, logo, fields, colour = '#000000' } of integrations) {
    assert.match(help, /\.$/, kind)
    assert.match(colour, /^#[0-9a-f]{6}$/, kind)
    assert.match(logo, /^<svg viewBox="0 0 24 24"[^>]*>.*<\/svg>$/, kind)
    assert.doesNotMatch(logo, /href|url\(|<script|<style|\bon\w+=/, kind)
    const names = fields.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length, kind)
    for (const field of fields) {
      assert.match(field.name, /^[a-z][a-z0-9_]*$/, kind)
      if (field.type === 'choice')
        assert.ok(field.choices?.includes(field.default ?? field.choices[0]!), kind)
    }
  }
})

test("the operator's settings have valid and unique names", () => {
  const names = operatorSettings.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[A-Z][A-Z0-9_]*$/)
})

test('every kind has its own test and its own logo', () => {
  const tests = readdirSync(join(packageRoot, 'test/integrations/kinds'))
  for (const { kind } of integrations) assert.ok(tests.includes(`${kind}.test.ts`), kind)
  const logos = integrations.map(({ logo }) => logo)
  assert.equal(new Set(logos).size, logos.length)
})

test('required settings are declared, and kinds that combine alerts accept notices', () => {
  for (const { kind, needs = [], operatorSettings: own = [], groups, notify } of integrations) {
    // Its own settings, or those that the product has anyway, such as the mail server's.
    const names = Object.keys(settingsTable(own))
    for (const need of needs.flat()) assert.ok(names.includes(need), `${kind} needs ${need}`)
    if (groups) assert.ok(notify, kind)
  }
})

test('fields with the name of a secret are declared sensitive', () => {
  const secret = /(^|_)(token|key|secret|password|auth)$/i
  for (const { kind, fields, operatorSettings: own = [] } of integrations) {
    for (const { name, sensitive } of fields) assert.ok(sensitive || !secret.test(name), `${kind}: ${name}`)
    for (const { name, secret: is } of own) assert.ok(is || !secret.test(name), `${kind}: ${name}`)
  }
})
