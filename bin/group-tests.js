// Runs several test files in one process, because most take longer to start than to run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const GROUP_SIZE = 16
/** Tests in the browser take longer, so fewer share a process, and the browser with it. */
const BROWSER_GROUP_SIZE = 4
const fileSuite = join(dirname(fileURLToPath(import.meta.url)), 'file-suite.js')

/** Folders whose tests start programs. They take so long that grouping them saves nothing. */
const PROGRAMS = ['cli', 'faults', 'project']

/** Folders whose tests load other compiled files from next to themselves, so they run unbundled. */
const UNBUNDLED = ['faults']

/**
 * Writes to `folder` the files for `node --test`, which runs each in its own process, from the test files `names` of the
 * build in `buildDir`. Returns their paths, slowest first.
 */
export function groupTests(buildDir, folder, names) {
  mkdirSync(folder, { recursive: true })
  const alone = names.filter(name => runsAlone(buildDir, name)).map(name => [name])
  const others = names.filter(name => !runsAlone(buildDir, name))
  const inBrowser = others.filter(isInBrowser)
  const rest = others.filter(name => !isInBrowser(name))
  const groups = [...inGroups(inBrowser, BROWSER_GROUP_SIZE), ...alone, ...inGroups(rest, GROUP_SIZE)]
  return groups.map((group, i) => {
    const path = join(folder, `${String(i).padStart(3, '0')}.mjs`)
    writeFileSync(path, groupFile(buildDir, group))
    return path
  })
}

function isInBrowser(name) {
  return name.split(sep)[0] === 'browser'
}

function inGroups(names, size) {
  return Array.from({ length: Math.ceil(names.length / size) }, (_, i) =>
    names.slice(i * size, (i + 1) * size),
  )
}

/** Wraps each test file in a suite, so that its hooks apply only to its own tests. */
function groupFile(buildDir, names) {
  const suites = names.map(name => {
    const bundled = UNBUNDLED.includes(name.split(sep)[0]) ? '' : 'bundled'
    const url = pathToFileURL(join(buildDir, bundled, 'test', name)).href
    return `fileSuite(${JSON.stringify(name)}, ${JSON.stringify(url)})\n`
  })
  const shared = pathToFileURL(join(buildDir, 'bundled/shared/at-end.js')).href
  return `import { after } from 'node:test'
import { closeShared } from ${JSON.stringify(shared)}
import { endAfterTests, fileSuite } from ${JSON.stringify(pathToFileURL(fileSuite).href)}
after(closeShared)
endAfterTests()
${suites.join('')}`
}

/**
 * Whether a test file needs its own process. Mocked timers affect the whole process, its events tell of every file, and each example
 * of the API can be carried out once.
 */
function runsAlone(buildDir, name) {
  if (PROGRAMS.includes(name.split(sep)[0])) return true
  return /mock\.timers|process\.on\(|native\/examples\.js/.test(
    readFileSync(join(buildDir, 'test', name), 'utf8'),
  )
}
