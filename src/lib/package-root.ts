import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with this package's package.json, migrations, static files and docs. */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)))

/** This package's version. Source: package.json. */
export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version

function findPackageRoot(from: string): string {
  const manifest = join(from, 'package.json')
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'punctual') return from
  const parent = dirname(from)
  if (parent === from) throw new Error('punctual’s package.json was not found above its own code')
  return findPackageRoot(parent)
}
