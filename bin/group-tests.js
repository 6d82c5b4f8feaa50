// Several test files in one process, because most take longer to start than to run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

const GROUP_SIZE = 8

/** Folders whose tests start programs: they take long, and nothing is saved by putting them together. */
const PROGRAMS = ['browser', 'cli', 'faults', 'project']

/** Folders whose tests find other compiled files beside themselves, so that they run unbundled. */
const UNBUNDLED = ['faults']

/**
 * Writes into `folder` the files that `node --test` is to run, each in a process of its own, for the test files `names`
 * of the build in `buildDir`. Returns their paths, those that take longest first.
 */
export function groupTests(buildDir, folder, names) {
  mkdirSync(folder, { recursive: true })
  const alone = names.filter(name => standsAlone(buildDir, name)).map(name => [name])
  const others = names.filter(name => !standsAlone(buildDir, name))
  const groups = Array.from({ length: Math.ceil(others.length / GROUP_SIZE) }, (_, i) =>
    others.slice(i * GROUP_SIZE, (i + 1) * GROUP_SIZE),
  )
  return [...alone, ...groups].map((group, i) => {
    const path = join(folder, `${String(i).padStart(3, '0')}.mjs`)
    writeFileSync(path, groupFile(buildDir, group))
    return path
  })
}

/** Each test file is a suite of its own, so that its hooks are called for its tests only; all are known before the first begins. */
function groupFile(buildDir, names) {
  const suites = names.map(name => {
    const bundled = UNBUNDLED.includes(name.split(sep)[0]) ? '' : 'bundled'
    const url = pathToFileURL(join(buildDir, bundled, 'test', name)).href
    return `suite(${JSON.stringify(name)}, () => import(${JSON.stringify(url)}))\n`
  })
  const shared = pathToFileURL(join(buildDir, 'bundled/shared/at-end.js')).href
  return `import { after, suite } from 'node:test'
import { closeShared } from ${JSON.stringify(shared)}
after(closeShared)
${suites.join('')}`
}

/** Timers that a test stops are those of the whole process. */
function standsAlone(buildDir, name) {
  if (PROGRAMS.includes(name.split(sep)[0])) return true
  return readFileSync(join(buildDir, 'test', name), 'utf8').includes('mock.timers')
}
