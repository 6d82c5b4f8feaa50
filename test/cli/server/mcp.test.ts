/** `punctual mcp`, used by the official client, with the built program on both sides. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { installationWithProject, program, serving } from '../../_support/cli.js'
import { callText, mcpClient } from '../../_support/mcp.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'
import { tempFolder } from '../../_support/worlds/store.js'

async function withServer(t: TestContext) {
  const installation = await installationWithProject(t)
  const { url } = await serving(t, installation.env)
  const scopes = ['checks:read', 'checks:write', 'pings:read', 'incidents:write']
  const named = ['--project', installation.uuid, '--name', 'Assistant', '--scopes', ...scopes]
  const { token } = await punctualJson(installation.env, ['token', 'create', ...named])
  return { url, token, home: await tempFolder(t), uuid: installation.uuid }
}

/** Runs the command with these lines as its input, and returns its output. */
async function piped(t: TestContext, env: Record<string, string>, input: string) {
  const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stderr.resume()
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return {
    code,
    answers: out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line)),
  }
}

test('an assistant uses the server to which `punctual login` signed in', async t => {
  const { url, token, home } = await withServer(t)
  const login = await punctual({ HOME: home }, ['login', url], `${token}\n`)
  assert.equal(login.code, 0, login.stderr)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--project', 'Backups'],
    env: { HOME: home },
    stderr: 'ignore',
  })
  const client = await mcpClient(t, transport)
  assert.equal(client.getServerVersion()?.name, 'punctual')
  const created = await callText(client, 'create_check', {
    name: 'Nightly',
    schedule: '0 3 * * *',
    tz: 'Europe/Riga',
  })
  assert.equal(created.isError, false, created.text)
  const uuid = /"uuid": "([0-9a-f-]+)"/.exec(created.text)![1]!
  assert.match((await callText(client, 'list_checks')).text, /^1 found\.\n.*\n\{"name":"Nightly"/)
  const { text } = await callText(client, 'delete_check', { uuid })
  const confirm = /confirm: (\S+)$/.exec(text)![1]!
  assert.deepEqual(await callText(client, 'delete_check', { uuid, confirm }), {
    text: 'Done.',
    isError: false,
  })
})

test('every request is answered, also where the server refuses it or is away', async t => {
  const { url, token } = await withServer(t)
  const input =
    '{"jsonrpc":"2.0","id":"a","method":"ping"}\n\nrubbish\n{"jsonrpc":"2.0","method":"notifications/x"}\n'
  const env = { PUNCTUAL_URL: url, PUNCTUAL_TOKEN: token }
  const known = await piped(t, env, input)
  assert.equal(known.code, 0)
  const byId = (answers: { id: string | null }[]) =>
    answers.sort((a, b) => (a.id ?? '').localeCompare(b.id ?? ''))
  const [rubbish, answered] = byId(known.answers) as unknown as [{ error: { code: number } }, object]
  assert.equal(rubbish.error.code, -32_000)
  assert.deepEqual(answered, { jsonrpc: '2.0', id: 'a', result: {} })

  const stranger = await piped(t, { ...env, PUNCTUAL_TOKEN: 'pun_wrong' }, input)
  assert.deepEqual(
    byId(stranger.answers).map(({ id }) => id),
    [null, 'a'],
  )
  const away = await piped(t, { ...env, PUNCTUAL_URL: 'http://127.0.0.1:9' }, input)
  assert.match(byId(away.answers)[1] ? JSON.stringify(away.answers) : '', /cannot be reached/)
})
