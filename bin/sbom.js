#!/usr/bin/env node
// Writes a software bill of materials of the runtime dependencies, in CycloneDX format, from the lock files: `npm run
// sbom` to sbom.cdx.json, `npm run sbom -- FILE` to another file. Packages only for old Node.js versions are optional.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = process.argv[2] ?? join(root, 'sbom.cdx.json')

const sbom = readMaterials(root)
const old = readMaterials(join(root, 'old-node'))
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// npm uses the folder's name.
sbom.metadata.component.name = name
const known = new Set(sbom.components.map(component => component['bom-ref']))
const added = old.components.filter(component => !known.has(component['bom-ref']))
sbom.components.push(...added.map(component => ({ ...component, scope: 'optional' })))
for (const { ref, dependsOn } of old.dependencies) {
  const own = sbom.dependencies.find(dependency => dependency.ref === nameInSbom(ref))
  if (own) own.dependsOn = [...new Set([...own.dependsOn, ...dependsOn])]
  else sbom.dependencies.push({ ref, dependsOn })
}
writeFileSync(target, `${JSON.stringify(sbom, null, 2)}\n`)
console.log(`${target}: ${sbom.components.length} components`)

function readMaterials(folder) {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e8, shell: process.platform === 'win32' },
  )
  if (status === 0) return withoutDevelopment(JSON.parse(stdout))
  console.error(stderr)
  process.exit(1)
}

/** Removes development dependencies. npm's `--omit dev` would also remove runtime dependencies that development shares. */
function withoutDevelopment(all) {
  const isForDevelopment = ({ properties = [] }) =>
    properties.some(({ name }) => name === 'cdx:npm:package:development')
  const components = all.components.filter(component => !isForDevelopment(component))
  const refs = new Set([all.metadata.component, ...components].map(component => component['bom-ref']))
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => refs.has(other)) }))
  return { ...all, components, dependencies }
}

/** The name of a package in the SBOM: the root of the list for old versions stands for Punctual itself. */
function nameInSbom(ref) {
  return ref === old.metadata.component['bom-ref'] ? sbom.metadata.component['bom-ref'] : ref
}
