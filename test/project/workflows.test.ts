/** The workflows of GitHub Actions: right by GitHub's own parser, and with the least rights. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { packageRoot } from '../../src/lib/package-root.js'
import { type WorkflowErrors, workflowParser } from '../_support/workflow-parser.js'

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}

interface Job {
  uses?: string
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  steps?: Step[]
}

interface Workflow {
  on: Record<string, unknown>
  permissions: unknown
  concurrency?: unknown
  jobs: Record<string, Job>
}

const folder = join(packageRoot, '.github/workflows')
const names = readdirSync(folder)
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
let errorsOf: WorkflowErrors

before(async () => {
  errorsOf = await workflowParser()
})

test('the workflow parser finds wrong keys, permissions and expressions', async () => {
  const text = [
    'on: push',
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-24.04',
    '    timeout: 5',
    '    permissions:',
    '      content: read',
    '    steps:',
    '      - run: echo ${' + '{ gihub.ref }}',
  ].join('\n')
  const found = (await errorsOf('a.yml', text)).join('\n')
  for (const word of ["'timeout'", "'content'", "'gihub'"]) assert.ok(found.includes(word), word)
})

for (const name of names) {
  const workflow: Workflow = parse(textOf(name))
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]) => job.steps ?? [])

  test(`${name} is a valid workflow`, async () => {
    assert.deepEqual(await errorsOf(name, textOf(name)), [])
  })

  test(`${name} has no rights of its own, and each job only those that it names`, () => {
    assert.deepEqual(workflow.permissions, {})
    for (const [id, job] of jobs) assert.ok(job.permissions, id)
    const writing = jobs.filter(([, job]) => Object.values(job.permissions ?? {}).includes('write'))
    assert.ok(writing.length === 0 || Object.keys(workflow.on).join() === 'push', 'writes on a pull request')
    assert.ok(!('pull_request_target' in workflow.on) && !('workflow_run' in workflow.on))
  })

  test(`${name} ends jobs that hang, and never runs twice for one branch`, () => {
    assert.ok(workflow.concurrency)
    for (const [id, job] of jobs) assert.ok(job.uses || job['timeout-minutes'], id)
  })

  test(`${name} pins each action to a commit, with its version beside it`, () => {
    const lines = textOf(name).match(/^.*\buses: .*$/gm) ?? []
    const pinned = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    assert.deepEqual(
      lines.filter(line => !pinned.test(line) && !/uses: \.\/\.github\//.test(line)),
      [],
    )
    assert.ok(lines.length > 0)
  })

  test(`${name} keeps no token in the checkout`, () => {
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      assert.equal(step.with?.['persist-credentials'], false)
  })

  test(`${name} runs scripts that are in the repository, and puts no expression into a shell`, () => {
    for (const { run } of steps) {
      if (run === undefined) continue
      assert.doesNotMatch(run, /\$\{\{|\n./, run)
      const script = /^(?:node )?(bin\/[\w.-]+)( |$)/.exec(run)?.[1]
      assert.ok(script ? existsSync(join(packageRoot, script)) : /^(npm ci|docker login )/.test(run), run)
    }
  })
}

test('each action has the same version everywhere', () => {
  const used = names.flatMap(name => textOf(name).match(/(?<=uses: )[^.\s]\S*@.*$/gm) ?? [])
  const versions = new Set(used)
  assert.equal(
    new Set([...versions].map(use => use.split('@')[0])).size,
    versions.size,
    [...versions].join('\n'),
  )
})
