import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandEnvironment } from '../../src/config.js'
import { createRunCommand } from '../../src/lib/run-command.js'
import { eventually } from '../_support/eventually.js'

const environment = { PATH: '/usr/bin:/bin' }
const runner = createRunCommand({ environment })
const run = (command: string, signal?: AbortSignal) => runner({ command }, signal)

test('a command returns its exit code and output', async () => {
  assert.deepEqual(await run('echo out; exit 7'), { code: 7, signal: null, output: 'out\n' })
  assert.deepEqual(await run('kill -TERM $$'), { code: null, signal: 'SIGTERM', output: '' })
})

test('a command gets its variables', async () => {
  const { output } = await runner({ command: 'echo "$A-$PATH"', variables: { A: '$(exit 3)' } })
  assert.equal(output, '$(exit 3)-/usr/bin:/bin\n')
})

test('the end of a long output is kept', async () => {
  const { output } = await run('yes 0123456 | head -c 1000000; printf done')
  assert.equal(output.length, 4096)
  assert.ok(output.endsWith('done'))
})

test('a command has no input', async () => {
  assert.deepEqual(await run('cat; echo end'), { code: 0, signal: null, output: 'end\n' })
})

test('processes left in the background are not waited for', async () => {
  const { output } = await run('sleep 60 & echo $!')
  process.kill(Number(output))
})

test('a command that takes too long is killed with its child processes', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-run-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const pid = join(folder, 'pid')
  // On a busy machine the shell may take longer than the first limit to start.
  for (let limitMs = 3_000; !existsSync(pid) || readFileSync(pid, 'utf8') === ''; limitMs *= 3) {
    const short = createRunCommand({ environment, limitMs })
    await assert.rejects(short({ command: `sleep 600 & echo $! > ${pid}; wait` }), {
      name: 'CommandError',
      message: 'Command timed out',
    })
  }
  const child = Number(readFileSync(pid, 'utf8'))
  // The kernel may need a moment to end what it was told to kill.
  await eventually(() => !alive(child))
})

test('a command that leaves its process group is killed too', {
  skip: !existsSync('/proc/self/environ'),
}, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-run-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const pid = join(folder, 'pid')
  const controller = new AbortController()
  const running = run(`setsid sh -c 'echo $$ > ${pid}; sleep 600' & sleep 600`, controller.signal)
  const ended = assert.rejects(running, /stopping/)
  await eventually(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '')
  controller.abort(new Error('stopping'))
  await ended
  await eventually(() => !alive(Number(readFileSync(pid, 'utf8'))))
})

test('an abort ends a command with its reason', async () => {
  const controller = new AbortController()
  const reason = new Error('stopping')
  const running = run('sleep 60', controller.signal)
  controller.abort(reason)
  await assert.rejects(running, reason)
})

test('commands get only PATH, HOME and LANG from the environment', () => {
  const env = { PATH: '/bin', HOME: '/home/a', LANG: '', SECRET_KEY: 's3cret', DATABASE_URL: 'postgres://' }
  assert.deepEqual(commandEnvironment(env), { PATH: '/bin', HOME: '/home/a' })
})

function alive(pid: number): boolean {
  try {
    // A zombie is dead, though its number is still taken.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
