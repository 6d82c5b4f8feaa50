import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../src/lib/package-root.js'
import { tempFolder } from '../_support/worlds/store.js'

const load = async (path: string) => await import(pathToFileURL(join(packageRoot, path)).href)
const { releaseNotes } = await load('bin/release/notes.js')
const { releaseProblems } = await load('bin/release/problems.js')
const { npmCommand, githubCommand, imageCommand } = await load('bin/release/commands.js')
const { checksums } = await load('bin/release/checksums.js')

const CHANGELOG = `# Changelog

## Unreleased

- Not yet.

## 1.2.0 (2026-12-01)

- New.

### Also

- This.

## 1.2.0-rc.1

- A trial.

## 1.1.0

`

test('release notes are the section under the heading of the version', () => {
  assert.equal(releaseNotes(CHANGELOG, '1.2.0'), '- New.\n\n### Also\n\n- This.\n')
  assert.equal(releaseNotes(CHANGELOG, '1.2.0-rc.1'), '- A trial.\n')
})

for (const version of ['1.2', '1.2.0-rc', '2.0.0', '1.1.0']) {
  test(`there are no release notes for ${version}, which has no section or an empty one`, () => {
    assert.throws(() => releaseNotes(CHANGELOG, version), /CHANGELOG\.md/)
  })
}

test('bin/release-notes.js prints the notes, or one line about what is missing', () => {
  const print = (version: string) =>
    spawnSync(process.execPath, [join(packageRoot, 'bin/release-notes.js'), version], { encoding: 'utf8' })
  const newest = /^## (\S+)/m.exec(readFileSync(join(packageRoot, 'CHANGELOG.md'), 'utf8'))![1]!
  const printed = print(newest)
  assert.deepEqual([printed.status, printed.stderr], [0, ''])
  assert.match(printed.stdout, /^[^#\s]/)
  assert.deepEqual(
    [print('99.0.0').status, print('99.0.0').stderr],
    [1, 'CHANGELOG.md has no section "## 99.0.0"\n'],
  )
})

const ready = {
  manifest: { version: '1.2.0', repository: { url: 'git+https://github.com/Someone/punctual.git' } },
  changelog: CHANGELOG,
  tag: 'v1.2.0',
  repository: 'Someone/Punctual',
}

test('a release whose tag, changelog and repository agree has no problems', () => {
  assert.deepEqual(releaseProblems(ready), [])
  assert.deepEqual(releaseProblems({ ...ready, tag: undefined, repository: undefined }), [])
})

test('every problem of a release is reported at once', () => {
  const manifest = { version: '1.3.0' }
  const problems: string[] = releaseProblems({ ...ready, manifest })
  assert.deepEqual(problems, [
    'The tag is v1.2.0, but package.json has version 1.3.0.',
    'CHANGELOG.md has no section "## 1.3.0".',
    '"repository" in package.json has to name github.com/Someone/Punctual, or npm refuses the provenance.',
  ])
})

test('a prerelease never becomes the default on npm, GitHub or in the image', () => {
  const options = {
    folder: '/r',
    files: ['SHA256SUMS', 'punctual-1.2.0.tgz'],
    image: 'host/Some/Name',
    metadata: 'm',
    source: 's',
  }
  const commands = (version: string): string[] =>
    [npmCommand, githubCommand, imageCommand].map(command => command({ ...options, version }).join(' '))
  const [npm, github, image] = commands('1.2.0')
  assert.equal(npm, 'npm publish /r/punctual-1.2.0.tgz --access public --provenance --tag latest')
  assert.doesNotMatch(github!, /--prerelease/)
  assert.match(image!, /--tag host\/some\/name:1\.2\.0 --tag \S+:1\.2 --tag \S+:latest \.$/)
  const [trialNpm, trialGithub, trialImage] = commands('1.2.0-rc.1')
  assert.match(trialNpm!, /--tag next$/)
  assert.match(trialGithub!, / --prerelease \/r\/SHA256SUMS \/r\/punctual-1\.2\.0\.tgz$/)
  assert.deepEqual(trialImage!.match(/--tag \S+/g), ['--tag host/some/name:1.2.0-rc.1'])
})

test('sha256sum accepts the checksums, and notices a changed file', async t => {
  const folder = await tempFolder(t)
  for (const name of ['a.tgz', 'b.json']) writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder, ['a.tgz', 'b.json']))
  const check = () => execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
  assert.equal(check(), 'a.tgz: OK\nb.json: OK\n')
  writeFileSync(join(folder, 'b.json'), 'changed')
  assert.throws(check)
})
