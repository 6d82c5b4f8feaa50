import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../../../src/compose/store.js'
import { loadConfig } from '../../../src/config.js'
import { integrations } from '../../../src/integrations/index.js'
import { installationWithProject } from '../../_support/cli.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'
import { tempFolder } from '../../_support/worlds/store.js'

const add = (project: string, kind: string, name: string, ...fields: string[]) => [
  ...['channel', 'add', '--project', project, '--kind', kind, '--name', name],
  ...fields.flatMap(field => ['--set', field]),
]

test('channel add stores a channel by the fields of its kind and prints it', async t => {
  const { env, uuid } = await installationWithProject(t)
  const { code, stdout } = await punctual(
    env,
    add(uuid, 'webhook', 'Chat', 'url_down=https://example.org/secret?a=b', 'method_down=POST'),
  )
  assert.equal(code, 0)
  const { id, uuid: channel, ...rest } = JSON.parse(stdout)
  assert.equal(channel, id)
  assert.deepEqual(rest, { kind: 'webhook', name: 'Chat' })

  const [listed] = await punctualJson(env, ['channel', 'list', '--project', uuid])
  assert.equal(listed.id, id)
  assert.equal(listed.project, uuid)
  assert.equal(listed.settings.method_down, 'POST')
  assert.equal(listed.settings.method_up, 'GET')
  assert.equal(listed.disabled, false)
  const table = await punctual(env, ['channel', 'list'])
  assert.match(table.stdout, /webhook {2}Chat {2}POST example\.org\/s…\?a=… \(down\) {2}not used yet\n$/)
  assert.ok(!`${JSON.stringify(listed)}${table.stdout}`.includes('secret'))
})

test('channel list shows an address that is not verified', async t => {
  const { env, uuid } = await installationWithProject(t)
  const store = await openStore(loadConfig(env), { create: false })
  const project = (await store.projects.list()).find(known => known.uuid === uuid)!
  const settings = { value: 'ops@example.org', down: 'true', up: 'true' }
  const channel = { projectId: project.id, kind: 'email', name: 'Ops', settings, members: [], now: 1 }
  await store.channels.create({ ...channel, confirmed: false })
  await store.close()
  const [listed] = await punctualJson(env, ['channel', 'list'])
  assert.equal(listed.verified, false)
  const { stdout } = await punctual(env, ['channel', 'list'])
  assert.match(stdout, /email {2}Ops {3}ops@example\.org {2}E-mail not verified\n$/)
})

test('channel add says which field is wrong', async t => {
  const kinds = integrations.map(({ kind }) => kind)
  const { env, uuid } = await installationWithProject(t)
  for (const [args, complaint] of [
    [add(uuid, 'pigeon', ''), `there is no kind of channel "pigeon"; there are: ${kinds.join(', ')}`],
    [add(uuid, 'webhook', '', 'url_down=a b'), 'url_down: Enter a valid URL.'],
    [add(uuid, 'webhook', '', 'url_down'), '--set takes FIELD=VALUE, not "url_down"'],
  ] as const) {
    const { code, stderr } = await punctual(env, args)
    assert.deepEqual({ code, stderr }, { code: 1, stderr: `punctual: ${complaint}\n` })
  }
})

test('channel test sends a test notification and prints the result', async t => {
  const receiver = await openRecorder(t, ({ url }) => ({ status: url === '/broken' ? 500 : 200 }))
  const { env, uuid } = await installationWithProject(t, { INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })
  const works = await punctualJson(env, add(uuid, 'webhook', 'A', `url_down=${receiver.url}/$NAME`))
  const broken = await punctualJson(env, add(uuid, 'webhook', 'B', `url_down=${receiver.url}/broken`))
  const group = await punctualJson(env, add(uuid, 'group', 'C', `members=${works.id},${broken.id}`))

  const [sent] = await punctualJson(env, ['channel', 'test', works.id])
  const { duration_ms, ...result } = sent
  assert.equal(typeof duration_ms, 'number')
  assert.deepEqual(result, { channel: works.id, kind: 'webhook', status: 'down', error: '' })
  assert.equal(receiver.requests[0]!.url, '/TEST')

  const failed = await punctual(env, ['channel', 'test', group.id])
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, new RegExp(`^Delivered through webhook ${works.id} in \\d+ ms\\.\n$`))
  assert.equal(
    failed.stderr,
    `punctual: the test notification was not delivered: webhook ${broken.id}: Received status code 500\n`,
  )
  const unknown = await punctual(env, ['channel', 'test', uuid])
  assert.equal(unknown.stderr, `punctual: there is no channel ${uuid}\n`)
})

test('cloud metadata services are blocked even where private addresses are allowed', async t => {
  const { env, uuid } = await installationWithProject(t, { INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })
  const url = 'url_down=http://[::ffff:169.254.169.254]/latest/meta-data/'
  const { id } = await punctualJson(env, add(uuid, 'webhook', 'A', url))
  const { stderr } = await punctual(env, ['channel', 'test', id])
  assert.match(
    stderr,
    /Connections to private IP addresses are not allowed\. .* INTEGRATIONS_ALLOW_PRIVATE_IPS=True/,
  )
})

test('an e-mail channel is added with a warning if no mail server is set', async t => {
  const { env, uuid } = await installationWithProject(t)
  const added = await punctual(env, add(uuid, 'email', '', 'value=ops@example.org'))
  assert.equal(added.code, 0)
  assert.match(added.stderr, /^punctual: EMAIL_HOST is not set: this channel sends nothing/)
  assert.equal(JSON.parse(added.stdout).kind, 'email')
  const mail = { ...env, EMAIL_HOST: 'mail.example.org' }
  assert.equal((await punctual(mail, add(uuid, 'email', '', 'value=ops@example.org'))).stderr, '')
})

test('channel add accepts only the commands that the operator has listed in a file', async t => {
  const folder = await tempFolder(t)
  const list = join(folder, 'commands')
  await writeFile(list, '# what may be run\ntrue $NAME\nsh -c "echo \'$NAME\'"\n')
  const settings = { SHELL_ENABLED: 'True', REGISTRATION_OPEN: 'False', SHELL_COMMANDS_FILE: list }
  const { env, uuid } = await installationWithProject(t, settings)
  const added = await punctualJson(env, add(uuid, 'shell', 'Script', 'cmd_down=true $NAME'))
  assert.equal((await punctualJson(env, ['channel', 'test', added.id]))[0].error, '')
  for (const [command, complaint] of [
    ['false', 'The operator allows only'],
    [`sh -c "echo '$NAME'"`, 'A name or tag stands in more than one layer of quotes'],
  ] as const) {
    const { code, stderr } = await punctual(env, add(uuid, 'shell', '', `cmd_down=${command}`))
    assert.equal(code, 1)
    assert.ok(stderr.startsWith(`punctual: cmd_down: ${complaint}`), stderr)
  }
  await writeFile(list, 'false\n')
  const { stderr } = await punctual(env, ['channel', 'test', added.id])
  assert.match(stderr, /Command was not run\. The operator does not allow this command/)
})

test('commands refuse to run with both shell commands and open registration', async t => {
  const { env, uuid } = await installationWithProject(t)
  const wanted = add(uuid, 'shell', '', 'cmd_down=true')
  const { code, stderr } = await punctual({ ...env, SHELL_ENABLED: 'True' }, wanted)
  assert.notEqual(code, 0)
  assert.match(stderr, /REGISTRATION_OPEN must be False when SHELL_ENABLED is True/)
})

test('kinds of channels and their fields are listed, and create is another word for add', async t => {
  const { env, uuid } = await installationWithProject(t)
  assert.match((await punctual(env, ['channel', 'kinds'])).stdout, /^KIND +NAME\n(.*\n)*webhook +Webhook\n/)
  assert.match((await punctual(env, ['channel', 'kinds', 'zulip'])).stdout, /^to +yes +/m)
  assert.match((await punctual(env, ['channel', 'kinds', 'x'])).stderr, /there is no kind of channel x/)
  const [, , ...rest] = add(uuid, 'webhook', 'Chat', 'url_down=https://example.org/a')
  const made = await punctualJson(env, ['channel', 'create', ...rest])
  assert.equal(made.uuid, made.id)
  assert.equal((await punctualJson(env, ['channel', 'list', '--project', 'Backups']))[0].uuid, made.uuid)
})
