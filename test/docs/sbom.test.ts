import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../src/lib/package-root.js'
import { tempFolder } from '../_support/worlds/store.js'

interface Component {
  'bom-ref': string
  name: string
  version: string
  scope: string
  purl: string
  hashes: { alg: string; content: string }[]
  licenses: unknown[]
}

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

test('the SBOM lists only runtime dependencies, with version, licence and digest', async t => {
  const file = join(await tempFolder(t), 'sbom.json')
  execFileSync(process.execPath, [join(packageRoot, 'bin/sbom.js'), file])
  const sbom = json(file)
  assert.equal(sbom.bomFormat, 'CycloneDX')
  const components: Component[] = sbom.components
  const lock = json(join(packageRoot, 'package-lock.json')).packages
  const old = json(join(packageRoot, 'old-node/package-lock.json')).packages
  // npm leaves out the packages of other platforms, of which there are none among those that run.
  const expected = [...Object.entries(lock), ...Object.entries(old)]
    .map(
      ([path, entry]) => [path, entry as { version: string; dev?: boolean; devOptional?: boolean }] as const,
    )
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
  assert.deepEqual(components.map(component => component['bom-ref']).sort(), [...new Set(expected)].sort())
  for (const { name, purl, hashes, licenses } of components) {
    assert.ok(purl.startsWith('pkg:npm/'), name)
    assert.equal(hashes[0]?.alg, 'SHA-512', name)
    assert.ok(licenses.length > 0, name)
  }
  const scopeOf = (name: string) => components.find(component => component.name === name)?.scope
  assert.deepEqual(
    [scopeOf('pino'), scopeOf('better-sqlite3'), scopeOf('esbuild')],
    ['required', 'optional', undefined],
  )
  const { name, version } = json(join(packageRoot, 'package.json'))
  assert.deepEqual([sbom.metadata.component.name, sbom.metadata.component.version], [name, version])
  const own = sbom.dependencies.find(({ ref }: { ref: string }) => ref === `${name}@${version}`)
  assert.ok(
    own.dependsOn.includes('better-sqlite3@12.11.1') &&
      own.dependsOn.some((ref: string) => ref.startsWith('hono@')),
  )
})
