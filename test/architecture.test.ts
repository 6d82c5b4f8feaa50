/** The tree is the architecture: which folder may import which, and that core/ stays pure. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../src/lib/package-root.js'

/** Each layer with the layers it may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  lib: [],
  settings: ['lib'],
  config: ['lib', 'settings'],
  views: ['core', 'lib'],
  storage: ['core', 'lib'],
  integrations: ['core', 'lib', 'views'],
  actions: ['core', 'lib', 'views', 'storage', 'integrations'],
  jobs: ['core', 'lib', 'views', 'storage', 'integrations', 'actions'],
  http: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions'],
  smtp: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions'],
  client: ['core'],
  compose: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions', 'jobs', 'http', 'smtp'],
  cli: ['core', 'lib', 'config', 'views', 'storage', 'integrations', 'actions', 'compose'],
  main: ['cli'],
}

const src = join(packageRoot, 'src')
const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter(name => /\.tsx?$/.test(name))

const layerOf = (name: string) => name.split('/')[0]!.replace(/\.tsx?$/, '')

function importsOf(name: string): string[] {
  const text = readFileSync(join(src, name), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g,
  )
  return [...found].map(match => (match[1] ?? match[2] ?? match[3])!)
}

test('every file belongs to a known layer and imports only what its layer may', () => {
  assert.ok(files.length > 0)
  const wrong: string[] = []
  for (const name of files) {
    const layer = layerOf(name)
    if (!MAY_IMPORT[layer]) wrong.push(`${name} is in no known layer`)
    for (const specifier of importsOf(name).filter(found => found.startsWith('.'))) {
      const target = layerOf(relative(src, resolve(dirname(join(src, name)), specifier)).replace(/\.js$/, ''))
      if (target !== layer && !MAY_IMPORT[layer]?.includes(target)) wrong.push(`${name} imports ${specifier}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('core/ imports nothing from outside itself', () => {
  const wrong = files
    .filter(name => layerOf(name) === 'core')
    .flatMap(name =>
      importsOf(name)
        .filter(found => !found.startsWith('.'))
        .map(found => `${name} imports ${found}`),
    )
  assert.deepEqual(wrong, [])
})

test('core/ has no clock, no randomness, no input and no output', () => {
  const impure =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.|\bprocess\.|\bconsole\.|\bsetTimeout\b|\bsetInterval\b|\bfetch\(|\bcrypto\./
  const wrong = files
    .filter(name => layerOf(name) === 'core')
    .flatMap(name =>
      readFileSync(join(src, name), 'utf8')
        .split('\n')
        .map((line, index) => ({ name, line, index })),
    )
    .filter(({ line }) => impure.test(line.replace(/\/\/.*|\/?\*.*/, '')))
    .map(({ name, line, index }) => `${name}:${index + 1} ${line.trim()}`)
  assert.deepEqual(wrong, [])
})

test('the environment is read in config.ts alone', () => {
  const wrong = files
    .filter(name => name !== 'config.ts')
    .filter(name => /\bprocess\.env\b/.test(readFileSync(join(src, name), 'utf8')))
  assert.deepEqual(wrong, [])
})

test('only storage/ speaks to a database', () => {
  const drivers = new Set(['better-sqlite3', 'node:sqlite', 'pg', 'kysely'])
  const wrong = files
    .filter(name => layerOf(name) !== 'storage')
    .flatMap(name =>
      importsOf(name)
        .filter(found => drivers.has(found))
        .map(found => `${name} imports ${found}`),
    )
  assert.deepEqual(wrong, [])
})

test('no folder is named for nothing in particular', () => {
  const vague = /(^|\/)(utils?|helpers?|common|types|services?|managers?|misc)(\/|\.tsx?$)/
  assert.deepEqual(
    files.filter(name => vague.test(name)),
    [],
  )
})

/** The nouns by which the files of a layer are put into folders, the same in each layer. */
const NOUNS = ['checks', 'pings', 'alerts', 'channels', 'people', 'projects', 'reports', 'instance']

/** What else stands beside them, in its layer alone. */
const OTHER_FOLDERS: Record<string, string[]> = {
  core: ['schedule', 'text', 'time', 'wire'],
  storage: ['copy', 'migrations', 'postgres', 'sqlite'],
  actions: [],
  'http/web': ['dev', 'docs', 'live'],
  'views/pages': [],
}

test('the folders of a layer are the same nouns in every layer', () => {
  const wrong = Object.entries(OTHER_FOLDERS).flatMap(([layer, others]) =>
    foldersIn(join(src, layer))
      .filter(name => !NOUNS.includes(name) && !others.includes(name))
      .map(name => `${layer}/${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('no folder of src/ holds more than 26 files side by side', () => {
  const counts = new Map<string, number>()
  for (const name of files) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1)
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 26),
    [],
  )
})

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
}
