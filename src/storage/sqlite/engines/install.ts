/** Installs, on first use, the package that Node.js before 22.16 needs. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../../core/errors.js'
import { packageRoot } from '../../../lib/package-root.js'

/** Its package.json names the package; its package-lock.json pins the exact bytes of it and of its dependencies. */
const recipe = join(packageRoot, 'old-node')

/** The version of the package to use. */
export function wantedVersion(): string {
  return JSON.parse(readFileSync(join(recipe, 'package.json'), 'utf8')).dependencies['better-sqlite3']
}

/** The folder of the package for this Node.js: code compiled for one version does not run in another. */
export const installedIn: string = join(
  recipe,
  `${process.platform}-${process.arch}-${process.versions.modules}`,
)

const OPTIONS = [
  // Shows the output of the compiler, which for a minute or two is the only sign of life.
  '--foreground-scripts',
  '--ignore-scripts=false',
  '--global=false',
  '--no-audit',
  '--no-fund',
]

/**
 * Installs the package with npm into `installedIn`, completely or not at all, and reports on standard error. Throws a
 * `Refusal` that says what is missing if that fails.
 */
export function install(): void {
  const folder = makeFolder()
  tell(
    'has no SQLite that Punctual can use, so one is installed now, once. Compiling it takes a few minutes.',
  )
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(recipe, name), join(folder, name))
    const { error, status } = spawnSync('npm', ['ci', ...OPTIONS, '--prefix', folder], {
      cwd: folder,
      // Standard output is reserved for the output of commands.
      stdio: ['ignore', process.stderr.fd, process.stderr.fd],
      shell: process.platform === 'win32',
    })
    if (error) throw refusal(`npm cannot be run (${error.message})`)
    if (status !== 0) {
      throw refusal(
        'the above says why. Compiling needs the network, a C++ compiler, make and Python 3 (on Debian and Ubuntu: apt install build-essential python3)',
      )
    }
    moveTo(installedIn, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  tell('has its SQLite now.')
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(recipe, '.installing-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refusal(
      `${recipe} cannot be written to (${code}). Run this command once as the owner of that folder`,
    )
  }
}

function moveTo(target: string, folder: string): void {
  try {
    renameSync(folder, target)
  } catch (error) {
    // Another process was faster.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw error
  }
}

function refusal(reason: string): Refusal {
  return new Refusal(
    'unavailable',
    `SQLite for ${nodeName} was not installed: ${reason}. Or use Node.js 22.16 or newer, which brings it; or install better-sqlite3@${wantedVersion()} with npm beside Punctual`,
  )
}

const nodeName = `Node.js ${process.versions.node}`

function tell(what: string): void {
  process.stderr.write(`punctual: ${nodeName} ${what}\n`)
}
