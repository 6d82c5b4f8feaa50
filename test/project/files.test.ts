/** What GitHub and editors read: refused by them only when it is too late, so checked here. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { packageRoot } from '../../src/lib/package-root.js'

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')

const WAITING_DAYS = 14

const texts = {
  label: z.string().min(1),
  description: z.string().optional(),
  placeholder: z.string().optional(),
}
const shared = {
  id: z.string().regex(/^[\w-]+$/),
  validations: z.strictObject({ required: z.boolean() }).optional(),
}

/** https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema */
const issueForm = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()).optional(),
  body: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string() }) }),
      z.strictObject({ type: z.literal('input'), ...shared, attributes: z.strictObject(texts) }),
      z.strictObject({
        type: z.literal('textarea'),
        ...shared,
        attributes: z.strictObject({ ...texts, render: z.string().optional() }),
      }),
    ]),
  ),
})

/** The part that is used of https://docs.github.com/en/code-security/dependabot/working-with-dependabot/dependabot-options-reference */
const dependabot = z.strictObject({
  version: z.literal(2),
  updates: z.array(
    z.strictObject({
      'package-ecosystem': z.enum(['npm', 'github-actions', 'devcontainers']),
      directory: z.string().startsWith('/').optional(),
      directories: z.array(z.string().startsWith('/')).optional(),
      schedule: z.strictObject({ interval: z.enum(['daily', 'weekly', 'monthly']) }),
      cooldown: z.strictObject({ 'default-days': z.literal(WAITING_DAYS) }),
      'versioning-strategy': z.literal('increase').optional(),
      groups: z
        .record(
          z.string(),
          z.strictObject({
            patterns: z.array(z.string()).optional(),
            'update-types': z.array(z.enum(['major', 'minor', 'patch'])).optional(),
          }),
        )
        .optional(),
      ignore: z
        .array(
          z.strictObject({
            'dependency-name': z.string(),
            'update-types': z.array(z.enum(['version-update:semver-major'])),
          }),
        )
        .optional(),
    }),
  ),
})

for (const name of readdirSync(join(packageRoot, '.github/ISSUE_TEMPLATE'))) {
  test(`the issue form ${name} has only what GitHub knows, and asks each question once`, () => {
    const { body } = issueForm.parse(parse(read(`.github/ISSUE_TEMPLATE/${name}`)))
    const fields = body.flatMap(field => (field.type === 'markdown' ? [] : [field]))
    assert.ok(fields.some(({ validations }) => validations?.required))
    assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length)
    assert.equal(new Set(fields.map(({ attributes }) => attributes.label)).size, fields.length)
  })
}

test('updates wait as long as CONTRIBUTING.md says, in each folder with a lock file', () => {
  const { updates } = dependabot.parse(parse(read('.github/dependabot.yml')))
  const folders = updates
    .filter(update => update['package-ecosystem'] === 'npm')
    .flatMap(({ directory, directories = [] }) => [...directories, ...(directory ? [directory] : [])])
  const locked = ['/', ...readdirSync(packageRoot).map(name => `/${name}`)].filter(folder =>
    existsSync(join(packageRoot, folder, 'package-lock.json')),
  )
  assert.deepEqual(folders.sort(), locked.sort())
  assert.match(read('CONTRIBUTING.md'), new RegExp(`public for ${WAITING_DAYS} days`))
})

test('editors indent and wrap as the formatter does', () => {
  const section = read('.editorconfig').split(/^\[(.*)\]$/m)
  const settings = Object.fromEntries([...section[2]!.matchAll(/^(\w+) = (\S+)$/gm)].map(m => [m[1], m[2]]))
  const { indentStyle, indentWidth, lineWidth } = JSON.parse(read('biome.json')).formatter
  assert.equal(section[1], '*')
  assert.deepEqual(
    [settings.indent_style, settings.indent_size, settings.max_line_length],
    [indentStyle, String(indentWidth), String(lineWidth)],
  )
})

test('the development container runs a setup script that exists', () => {
  const { image, postCreateCommand } = JSON.parse(read('.devcontainer/devcontainer.json'))
  assert.ok(existsSync(join(packageRoot, postCreateCommand)))
  // From 22 on, which brings SQLite: an older Node.js would have to compile it.
  assert.ok(Number(/:(\d+)-/.exec(image)?.[1]) >= 22, image)
})

test('no package of the tests stands in for another version of one that the program uses', () => {
  type Lock = { packages: Record<string, { version: string; dev?: boolean }> }
  const installed = (path: string) => Object.entries((JSON.parse(read(path)) as Lock).packages)
  const isTop = (folder: string) => folder.lastIndexOf('node_modules/') === 0
  const used = new Map(installed('package-lock.json').filter(([folder, { dev }]) => isTop(folder) && !dev))
  const others = installed('test/package-lock.json').filter(
    ([folder, { version }]) => used.has(folder) && used.get(folder)!.version !== version,
  )
  assert.ok(used.size > 0)
  assert.deepEqual(others, [])
})
