#!/usr/bin/env node
// Writes the software bill of materials of what runs, in CycloneDX, from the lock files: `npm run sbom` into
// sbom.cdx.json, `npm run sbom -- FILE` into another file. What only old versions of Node.js get is optional in it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = process.argv[2] ?? join(root, 'sbom.cdx.json')

const sbom = materialsOf(root)
const old = materialsOf(join(root, 'old-node'))
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// npm takes the folder's name.
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

function materialsOf(folder) {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e8, shell: process.platform === 'win32' },
  )
  if (status === 0) return withoutDevelopment(JSON.parse(stdout))
  console.error(stderr)
  process.exit(1)
}

/** What does not run is left out here: npm's `--omit dev` also leaves out what runs and development needs as well. */
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

/** What the list for old versions depends on, Punctual itself does there. */
function nameInSbom(ref) {
  return ref === old.metadata.component['bom-ref'] ? sbom.metadata.component['bom-ref'] : ref
}
