/** The example repository of docs/: its job, line by line as GitHub runs it, against a server. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { packageRoot } from '../../../src/lib/package-root.js'
import { installationWithProject, program, serving } from '../../_support/cli.js'
import { punctualJson } from '../../_support/warm-cli.js'
import { workflowParser } from '../../_support/workflow-parser.js'
import { tempFolder } from '../../_support/worlds/store.js'

const SCOPES = ['config:write', 'checks:read', 'checks:write', 'channels:write', 'incidents:write']
const EXAMPLE = join(packageRoot, 'docs/examples/configuration-repository')
const workflow = await readFile(join(EXAMPLE, '.github/workflows/punctual.yml'), 'utf8')

interface Step {
  if?: string
  run?: string
}

const { env: names, steps } = parse(workflow).jobs.punctual as { env: Record<string, string>; steps: Step[] }

test('the job of the example is a valid workflow', async () => {
  const errors = await workflowParser()
  assert.deepEqual(await errors('punctual.yml', workflow), [])
})

test('the job of the example plans on a pull request and applies on main', async t => {
  const installation = await installationWithProject(t)
  const { url } = await serving(t, { ...installation.env, PORT: '0' })
  const named = ['--project', installation.uuid, '--name', 'CI', '--scopes', ...SCOPES]
  const { token } = await punctualJson(installation.env, ['token', 'create', ...named])
  const folder = await tempFolder(t)
  await cp(EXAMPLE, folder, { recursive: true })
  const stand = join(folder, 'punctual')
  await writeFile(stand, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  await chmod(stand, 0o755)
  const given: Record<string, string> = {
    'vars.PUNCTUAL_URL': url,
    'secrets.PUNCTUAL_TOKEN': token,
    'secrets.SLACK_URL': 'https://hooks.slack.com/services/T/B/k',
  }
  const filled = Object.entries(names).map(([name, value]) => {
    const [, expression = ''] = /^\$\{\{ (\S+) \}\}$/.exec(value) ?? []
    return [name, given[expression] ?? assert.fail(`${name} is not given`)]
  })
  const env = { HOME: folder, PATH: `${folder}:${process.env.PATH}`, ...Object.fromEntries(filled) }

  /** Runs the steps of an event, as GitHub does, and returns what they print. */
  const runOn = async (event: string, more: Record<string, string> = {}) => {
    let printed = ''
    for (const step of steps) {
      if (step.run === undefined || step.run.startsWith('npm install')) continue
      if (step.if !== undefined && !step.if.includes(`== '${event}'`)) continue
      const child = spawn('bash', ['-e', '-c', step.run], { cwd: folder, env: { ...env, ...more } })
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', piece => {
          printed += piece
        })
      }
      const [code] = await once(child, 'close')
      printed += `exit ${code}\n`
    }
    return printed
  }
  const user = { HOME: folder, PUNCTUAL_URL: url, PUNCTUAL_TOKEN: token }
  const slugs = async () =>
    (await punctualJson(user, ['checks', 'list'])).map(({ slug }: { slug: string }) => slug).sort()

  assert.match(await runOn('pull_request'), /\+ checks\.nightly-backup[\s\S]*exit 0\n$/)
  assert.deepEqual(await slugs(), [])
  assert.match(await runOn('push'), /exit 0\n$/)
  assert.deepEqual(await slugs(), ['nightly-backup', 'upload'])
  assert.match(await runOn('pull_request'), /No changes\.\nexit 0\n$/)
  assert.match(await runOn('push'), /No changes\.\nexit 0\n$/)
  assert.match(await runOn('pull_request', { PUNCTUAL_TOKEN: 'pun_wrong' }), /exit 1\n$/)
})
