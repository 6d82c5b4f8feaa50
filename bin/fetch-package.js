import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const testModules = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'node_modules')

/**
 * Installs version `version` of the npm package `name` in test/node_modules/`group`, unless it is already there. Returns
 * its folder. Exits if the installation fails. Runs the package's install script only if `hasScript`.
 */
export function fetchPackage(group, name, version, hasScript = false) {
  const folder = join(testModules, group, version)
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
