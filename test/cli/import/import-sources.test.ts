/** `punctual import` of what other monitors and schedulers export, with the built program on both sides. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStore } from '../../../src/compose/store.js'
import { loadConfig } from '../../../src/config.js'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { installationWithProject, serving } from '../../_support/cli.js'
import { CRON_JOBS, CRONITOR, KUMA, TIMERS } from '../../_support/import-samples.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'
import { tempFolder } from '../../_support/worlds/store.js'

const SCOPES = ['config:write', 'checks:read', 'checks:write', 'channels:write', 'incidents:write']

async function user(t: TestContext) {
  const { env, uuid, apiKey } = await installationWithProject(t)
  const { url } = await serving(t, { ...env, PORT: '0' })
  const named = ['--project', uuid, '--name', 'Import', '--scopes', ...SCOPES]
  const { token } = await punctualJson(env, ['token', 'create', ...named])
  const folder = await tempFolder(t)
  return {
    folder,
    url,
    apiKey,
    installation: env,
    project: uuid,
    env: {
      HOME: folder,
      PUNCTUAL_URL: url,
      PUNCTUAL_TOKEN: token,
    },
  }
}

test('sources are imported into a server, and again without a change', async t => {
  const { folder, url, apiKey, env } = await user(t)
  const path = (name: string) => join(folder, name)
  await writeFile(
    path('punctual.yaml'),
    'channels:\n  ops: {kind: slack, url: https://hooks.slack.com/services/T/B/k}\n',
  )
  assert.equal((await punctual(env, ['config', 'apply', path('punctual.yaml')])).code, 0)
  await writeFile(path('export.yaml'), CRONITOR)
  await writeKuma(path('kuma.db'))

  const cronitor = ['import', 'cronitor', path('export.yaml')]
  const dry = await punctual(env, [...cronitor, '--dry-run'])
  assert.match(dry.stdout, /^\+ checks\.nightly-backup$/m)
  assert.match(dry.stdout, /^ {2}homepage: It was left out/m)
  assert.match(dry.stdout, /Nothing was written\.\n$/)
  assert.equal((await punctualJson(env, ['checks', 'list'])).length, 0)

  const first = await punctualJson(env, cronitor)
  assert.deepEqual([first.written, first.steps.length, first.addresses.length], [true, 5, 5])
  const checks = await punctualJson(env, ['checks', 'list'])
  const worker = checks.find(({ slug }: { slug: string }) => slug === 'queue-worker')
  assert.equal(worker.channels.length, 1)
  const again = await punctual(env, cronitor)
  assert.match(again.stdout, /^No changes\.$/m)

  const kuma = await punctual(env, ['import', 'uptime-kuma', path('kuma.db')])
  assert.match(kuma.stdout, /^ {2}backup: \/api\/push\/aB3dE6gH9k -> http\S+\/ping\/\S+$/m)
  const jobs = await punctual(env, ['import', 'kubernetes', '-'], CRON_JOBS)
  assert.match(jobs.stdout, /^4 to create, 0 to change, 0 to delete\.$/m)
  const timers = await punctual(
    env,
    ['import', 'systemd', '-', '--host', 'web1', '--timezone', 'UTC'],
    TIMERS,
  )
  assert.match(timers.stdout, /^2 to create/m)
  const lines = ['import', 'crontab', '-', '--host', 'web1', '--timezone', 'UTC']
  assert.match((await punctual(env, lines, '5 4 * * * /bin/dump\n')).stdout, /^1 to create/m)
  for (const [args, input] of [
    [['import', 'uptime-kuma', path('kuma.db')]],
    [['import', 'kubernetes', '-'], CRON_JOBS],
  ] as const)
    assert.match((await punctual(env, args, input)).stdout, /^No changes\.$/m)

  // Punctual has the API that Healthchecks has, so it is a source as well.
  const other = await user(t)
  const fromApi = ['import', 'healthchecks-api', url, '--api-key', apiKey]
  const moved = await punctualJson(other.env, fromApi)
  assert.deepEqual([moved.written, moved.steps.length], [true, checks.length + 9])
  const ping = moved.addresses.find(({ key }: { key: string }) => key === 'queue-worker')
  assert.equal(ping.before, worker.ping_url)
  assert.deepEqual((await punctualJson(other.env, fromApi)).steps, [])
  const refused = await punctual(other.env, ['import', 'healthchecks-api', url, '--api-key', 'x'])
  assert.deepEqual([refused.code, /does not accept this API key/.test(refused.stderr)], [1, true])
})

test('push tokens of Uptime Kuma are kept on a server', async t => {
  const { folder, url, env, installation, project } = await user(t)
  const file = join(folder, 'kuma.db')
  await writeKuma(file)
  const command = ['import', 'uptime-kuma', file, '--keep-tokens']
  const store = await openStore(loadConfig(installation), { create: false })
  t.after(() => store.close())
  const { id } = (await store.projects.find(project))!
  const first = await punctual(env, command)
  assert.equal(first.code, 0, first.stderr)
  assert.doesNotMatch(first.stdout, /kept only with/)
  assert.match((await punctual(env, command)).stdout, /^No changes\.$/m)
  await store.projects.setProtocols(id, ['uptime-kuma'], Date.now())
  assert.equal((await fetch(`${url}/api/push/aB3dE6gH9k?status=up`)).status, 200)

  const checks = await punctualJson(env, ['checks', 'list'])
  for (const { uuid } of checks) await store.projects.setPushTokens(id, uuid, [], Date.now())
  const { uuid } = await punctualJson(env, ['checks', 'create', 'other'])
  await store.projects.setPushTokens(id, uuid, ['aB3dE6gH9k'], Date.now())
  assert.match((await punctual(env, command)).stdout, /Its push token was not kept: another check has one/)
})

test('a file that an import wrote is valid, and owns what the import made', async t => {
  const { folder, env } = await user(t)
  const [source, file] = [join(folder, 'export.yaml'), join(folder, 'cronitor.yaml')]
  await writeFile(source, 'jobs:\n  a: {schedule: "5 4 * * *", note: "costs $${HOME} a day"}\n')
  const written = await punctual(env, ['import', 'cronitor', source, '--output', file])
  assert.match(written.stdout, /Wrote 1 check\. Next: punctual config plan/)
  assert.match(await readFile(file, 'utf8'), /\$\$\$\$\{HOME\}/)
  const printed = await punctual(env, ['import', 'cronitor', source, '--output', '-'])
  assert.equal(printed.stdout, await readFile(file, 'utf8'))
  assert.equal((await punctual(env, ['import', 'cronitor', source])).code, 0)
  const planned = await punctual(env, ['config', 'plan', file])
  assert.deepEqual([planned.code, planned.stdout], [0, 'No changes.\n'])
})

test('what is not of the kind that was named is refused with its place', async t => {
  const folder = await tempFolder(t)
  const file = join(folder, 'x.yaml')
  await writeFile(file, 'jobs: [\n')
  const run = async (...args: string[]) => {
    const { code, stderr } = await punctual({ HOME: folder }, ['import', ...args])
    return `${code} ${stderr}`
  }
  assert.match(await run('cronitor', file, '--output', '-'), /^1 .*x\.yaml:2:1: /s)
  await writeFile(file, 'jobs: *none\n')
  assert.match(await run('cronitor', file, '--output', '-'), /^1 .*x\.yaml:1:7: There is no anchor/s)
  assert.match(await run('kubernetes', join(folder, 'none'), '--output', '-'), /^1 .*cannot be read: ENOENT/s)
  assert.match(await run('uptime-kuma', file, '--output', '-'), /^1 .*SQLite/s)
})

async function writeKuma(path: string): Promise<void> {
  const database = sqliteEngine().open(path, { mustExist: false })
  for (const [table, rows] of Object.entries(KUMA) as [string, Record<string, unknown>[]][]) {
    const columns = [...new Set(rows.flatMap(Object.keys))]
    database.exec(`CREATE TABLE "${table}" (${columns.map(name => `"${name}"`).join(', ')})`)
    for (const row of rows) {
      const values = columns.map(name => {
        const value = row[name] ?? null
        return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
      })
      database.exec(`INSERT INTO "${table}" VALUES (${values.join(', ')})`)
    }
  }
  database.close()
}
