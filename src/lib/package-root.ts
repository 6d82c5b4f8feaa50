import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds this package's package.json: where migrations, static files and docs lie. */
export const packageRoot: string = find(dirname(fileURLToPath(import.meta.url)))

/** This package's version. Source: package.json. */
export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version

function find(from: string): string {
  const manifest = join(from, 'package.json')
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'punctual') return from
  const parent = dirname(from)
  if (parent === from) throw new Error('punctual’s package.json was not found above its own code')
  return find(parent)
}
