import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const kept = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'node_modules')

/**
 * The folder of version `version` of the npm package `name`, which is fetched on the first call and kept in the folder
 * `shelf` of test/node_modules. Ends the process when it cannot be fetched. Its install script runs if `hasScript`.
 */
export function fetchedPackage(shelf, name, version, hasScript = false) {
  const folder = join(kept, shelf, version)
  const found = join(folder, 'node_modules', name)
  if (existsSync(found)) return found
  mkdirSync(folder, { recursive: true })
  const own = { private: true, allowScripts: { [name]: hasScript } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own))
  const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder]
  const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], {
    stdio: 'inherit',
    cwd: folder,
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
  return found
}
