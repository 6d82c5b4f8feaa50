#!/usr/bin/env node
// Builds and publishes a release of the version in package.json, see docs/releasing.md:
//   bin/release.js files FOLDER             checks the sources and writes package, SBOM, notes and checksums to FOLDER
//   bin/release.js npm|github FOLDER        publishes the files in FOLDER
//   bin/release.js image NAME               builds the container image for two architectures and pushes it as NAME
// With --dry-run, prints the commands that publish instead of running them.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checksums } from './release/checksums.js'
import { githubCommand, imageCommand, npmCommand } from './release/commands.js'
import { releaseNotes } from './release/notes.js'
import { releaseProblems } from './release/problems.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const read = name => readFileSync(join(root, name), 'utf8')
const manifest = JSON.parse(read('package.json'))
const { version } = manifest
const { GITHUB_REPOSITORY, GITHUB_REF_TYPE, GITHUB_REF_NAME, GITHUB_OUTPUT } = process.env
const isDry = process.argv.includes('--dry-run')
const [step, target] = process.argv.slice(2).filter(word => word !== '--dry-run')

const steps = {
  files: writeFiles,
  npm: folder => publish(npmCommand(loadRelease(folder))),
  github: folder => publish(githubCommand(loadRelease(folder))),
  image: pushImage,
}
if (!target || !Object.hasOwn(steps, step))
  fail('usage: bin/release.js files|npm|github|image TARGET [--dry-run]')
steps[step](target)

function writeFiles(folder) {
  const tag = GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined
  const changelog = read('CHANGELOG.md')
  const problems = releaseProblems({ manifest, changelog, tag, repository: GITHUB_REPOSITORY })
  if (problems.length > 0) fail(problems.join('\n'))
  const place = resolve(folder)
  mkdirSync(place, { recursive: true })
  run(['npm', 'pack', '--pack-destination', place])
  run([process.execPath, 'bin/sbom.js', join(place, `punctual-${version}.sbom.cdx.json`)])
  writeFileSync(join(place, 'notes.md'), releaseNotes(changelog, version))
  const names = assetsIn(place).filter(name => name !== 'SHA256SUMS')
  writeFileSync(join(place, 'SHA256SUMS'), checksums(place, names))
}

function loadRelease(folder) {
  const files = existsSync(folder) ? assetsIn(folder) : []
  if (!files.includes('SHA256SUMS'))
    fail(`There is no release in ${folder}: run bin/release.js files ${folder}`)
  return { version, folder: resolve(folder), files }
}

/** The files to attach to a release on GitHub. */
function assetsIn(folder) {
  return readdirSync(folder)
    .filter(name => name !== 'notes.md')
    .sort()
}

function pushImage(image) {
  const revision = process.env.GITHUB_SHA ?? run(['git', 'rev-parse', 'HEAD'], 'pipe').trim()
  const source = `https://github.com/${GITHUB_REPOSITORY ?? 'OWNER/punctual'}`
  const metadata = join(mkdtempSync(join(tmpdir(), 'punctual-image-')), 'metadata.json')
  // Docker's default builder supports only one architecture.
  publish(['docker', 'buildx', 'create', '--driver', 'docker-container', '--use'])
  publish(imageCommand({ version, image, revision, source, metadata }))
  if (isDry || !GITHUB_OUTPUT) return
  const digest = JSON.parse(readFileSync(metadata, 'utf8'))['containerimage.digest']
  appendFileSync(GITHUB_OUTPUT, `name=${image.toLowerCase()}\ndigest=${digest}\n`)
}

function publish(command) {
  if (isDry) console.log(command.join(' '))
  else run(command)
}

function run([program, ...args], output = 'inherit') {
  const { status, stdout } = spawnSync(program, args, {
    stdio: ['inherit', output, 'inherit'],
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) fail(`${program} ${args[0]} failed`)
  return stdout
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
