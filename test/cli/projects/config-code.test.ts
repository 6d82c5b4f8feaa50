/** `punctual config validate|plan|apply|export`, with the built program on both sides. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { installationWithProject, serving } from '../../_support/cli.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'
import { tempFolder } from '../../_support/worlds/store.js'

const FILE = `project: Home
channels:
  ops: {kind: slack, url: "\${SLACK_URL}"}
policies:
  on-call: {steps: [{after: 0}, {after: 30m, channels: [ops]}]}
checks:
  nightly-backup: {cron: "15 3 * * *", grace: 1h, channels: [ops], policy: on-call}
silences:
  maintenance: {scope: {checks: [nightly-backup]}, when: {cron: "0 2 * * 0", duration: 2h, from: 2026-01-01T00:00:00Z}}
`

const SCOPES = ['config:write', 'checks:read', 'checks:write', 'channels:write', 'incidents:write']

async function user(t: TestContext) {
  const { env, uuid } = await installationWithProject(t)
  const { url } = await serving(t, { ...env, PORT: '0' })
  const named = ['--project', uuid, '--name', 'CI', '--scopes', ...SCOPES]
  const { token } = await punctualJson(env, ['token', 'create', ...named])
  const folder = await tempFolder(t)
  const variables = { HOME: folder, PUNCTUAL_URL: url, PUNCTUAL_TOKEN: token }
  return { folder, file: join(folder, 'punctual.yaml'), variables }
}

const SECRETS = { SLACK_URL: 'https://hooks.slack.com/services/T1/B1/key', OPS_URL: '' }
SECRETS.OPS_URL = SECRETS.SLACK_URL

test('a file is planned, applied, exported, and applied to an empty server', async t => {
  const [first, second] = [await user(t), await user(t)]
  await writeFile(first.file, FILE)
  const env = { ...first.variables, ...SECRETS }
  const planned = await punctual(env, ['config', 'plan', first.file])
  assert.equal(planned.code, 3, planned.stderr)
  assert.match(planned.stdout, /^\+ checks\.nightly-backup$/m)
  assert.match(planned.stdout, /^ {4}url: \(secret\)$/m)
  assert.ok(!planned.stdout.includes('T1/B1'))
  assert.equal((await punctual(env, ['config', 'apply', first.file])).code, 0)
  assert.deepEqual(await punctual(env, ['config', 'plan', first.file]), {
    code: 0,
    stdout: 'No changes.\n',
    stderr: '',
  })

  const exported = await punctual(env, ['config', 'export'])
  assert.match(exported.stderr, /OPS_URL \(channels\.ops\.url\)/)
  await writeFile(second.file, exported.stdout)
  const other = { ...second.variables, ...SECRETS }
  const without = await punctual(second.variables, ['config', 'apply', second.file])
  assert.deepEqual([without.code, /variable OPS_URL is not set/.test(without.stderr)], [1, true])
  assert.equal((await punctual(other, ['config', 'apply', second.file])).code, 0)
  assert.equal((await punctual(other, ['config', 'export'])).stdout, exported.stdout)
})

test('what is wrong with a file is printed with line and column', async t => {
  const folder = await tempFolder(t)
  const file = join(folder, 'punctual.yaml')
  await writeFile(file, 'checks:\n  db:\n    grace: soon\n    cron: "61 * * * *"\n')
  const { code, stderr } = await punctual({ HOME: folder }, ['config', 'validate', file])
  assert.equal(code, 1)
  assert.match(stderr, /punctual\.yaml:3:12: checks\.db\.grace: /)
  assert.match(stderr, /punctual\.yaml:4:11: checks\.db\.cron: /)
  await writeFile(file, 'checks: [\n')
  assert.match(
    (await punctual({ HOME: folder }, ['config', 'validate', file])).stderr,
    /punctual\.yaml:\d+:\d+: /,
  )
  assert.equal((await punctual({ HOME: folder }, ['config', 'plan', '--max-deletes', 'x', file])).code, 2)
})

test('a file whose aliases repeat too much or name nothing is refused with its place', async t => {
  const folder = await tempFolder(t)
  const file = join(folder, 'punctual.yaml')
  const validate = async (text: string) => {
    await writeFile(file, text)
    const { code, stderr } = await punctual({ HOME: folder }, ['config', 'validate', file])
    return `${code} ${stderr}`
  }
  assert.match(
    await validate(`defaults: &d {grace: 1h}\nchecks: [${'*d, '.repeat(200)}]\n`),
    /^1 (?!.*unexpected).*punctual\.yaml:2:10: There are too many aliases: write out what they repeat\.\n$/s,
  )
  assert.match(
    await validate('checks:\n  db: *none\n'),
    /^1 (?!.*unexpected).*punctual\.yaml:2:7: There is no anchor &none before \*none\.\n$/s,
  )
  assert.match(
    await validate('checks: &all\n  db: *all\n'),
    /^1 (?!.*unexpected).*punctual\.yaml:2:7: The alias \*all is a part of what it repeats\.\n$/s,
  )
  assert.match(await validate('checks:\n  a: &same {grace: 1h}\n  b: *same\n'), /^0 /)
})
