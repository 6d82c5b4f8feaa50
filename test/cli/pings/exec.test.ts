/** `punctual exec` and static/exec.sh: one table for both. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { CASES, type Case } from './exec-cases.js'
import {
  kept,
  newFolder,
  openReceiver,
  removeScratch,
  SCRIPT,
  SILENT_PATH,
  start,
  type Wrapper,
  wrappers,
} from './wrappers.js'

const receiver = await openReceiver()
after(() => {
  receiver.close()
  removeScratch()
})
let checks = 0

for (const wrapper of wrappers()) {
  describe(`a command in ${wrapper.name}`, { concurrency: 8 }, () => {
    for (const row of CASES) test(row.name, () => play(wrapper, row))
  })
}

async function play(wrapper: Wrapper, row: Case): Promise<void> {
  const { options = ['--url', 'ROOT/ping/CHECK'], run, server = 'ok', status = 0, sent, env = {} } = row
  const check = `${server}-${checks++}`
  const filled = (text: string) => text.replace('ROOT', receiver.root).replace('CHECK', check)
  const spool = join(newFolder(), 'deep', 'spool')
  const command = typeof run === 'string' ? ['sh', '-c', run] : run
  const dashes = options.at(-1) === 'NO--' ? [] : ['--']
  const { done } = start(
    wrapper,
    [...options.filter(option => option !== 'NO--').map(filled), ...dashes, ...command],
    {
      env: {
        PUNCTUAL_SPOOL: spool,
        ...Object.fromEntries(Object.entries(env).map(([k, v]) => [k, filled(v)])),
      },
      ...(row.input === undefined ? {} : { input: row.input }),
    },
  )
  const ran = await done
  const told = `${ran.said}${ran.err}`
  assert.equal(ran.status, status, told)
  expect(ran.out, row.out ?? '', 'output')
  expect(Buffer.from(ran.err, 'latin1'), row.err ?? '', 'errors')
  if (row.said) assert.match(ran.said, row.said)
  else assert.equal(ran.said, '')
  const pings = receiver.seen(check)
  assert.deepEqual(
    pings.map(({ action }) => action),
    sent ?? ['start', String(status)],
    told,
  )
  assert.deepEqual(kept(spool), row.kept ?? [])
  const end = pings.at(-1)
  if (!end) return
  expect(end.body, row.body ?? '', 'body')
  const [begun] = pings
  assert.match(begun!.query.get('rid')!, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)
  assert.equal(end.query.get('rid'), begun!.query.get('rid'))
  assert.match(end.query.get('duration')!, /^\d+\.\d{3}$/)
  for (const [name, value] of Object.entries(row.query ?? {})) {
    assert.equal(end.query.getAll(name).at(-1), value, name)
  }
}

function expect(actual: Buffer, expected: string | RegExp | Buffer, what: string): void {
  if (expected instanceof RegExp) assert.match(actual.toString('latin1'), expected, what)
  else assert.deepEqual(actual.toString('latin1'), expected.toString('latin1'), what)
}

const [first] = wrappers().filter(({ name }) => name !== 'node')
const both = wrappers().filter(({ name }) => name === 'node' || name === first!.name)

for (const wrapper of both) {
  describe(`${wrapper.name} beside other things`, () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGQUIT'] as const) {
      test(`${signal} reaches the command, whose exit status counts`, async () => {
        const { check, spool, args } = fresh('ok')
        const name = signal.slice(3)
        const script = `trap 'echo got; exit 9' ${name}; echo ready; while :; do sleep 0.1; done`
        const running = start(wrapper, [...args, 'sh', '-c', script], { env: { PUNCTUAL_SPOOL: spool } })
        await once(running.child.stdout!, 'data')
        running.child.kill(signal)
        const { status, out } = await running.done
        assert.deepEqual([status, String(out)], [9, 'ready\ngot\n'])
        assert.deepEqual(actions(check), ['start', '9'])
      })
    }

    test('what could not be sent is sent by the next run, with its time and the same run ID', async () => {
      const { check, spool, args } = fresh('ok')
      const env = { PUNCTUAL_SPOOL: spool }
      const before = Math.floor(Date.now() / 1000)
      const away = [
        '--quiet',
        '--retry',
        '0',
        '--url',
        'http://127.0.0.1:9/ping/x',
        '--',
        'sh',
        '-c',
        'echo lost',
      ]
      await start(wrapper, away, { env }).done
      const names = readdirSync(spool).filter(name => !name.endsWith('.body'))
      assert.equal(names.length, 2)
      for (const name of names) {
        const file = join(spool, name)
        assert.equal(statSync(file).mode & 0o077 & ~0o044, 0)
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace('http://127.0.0.1:9/ping/x', `${receiver.root}/ping/${check}`),
        )
      }
      assert.equal((await start(wrapper, [...args, 'true'], { env }).done).status, 0)
      assert.deepEqual(actions(check), ['start', '0', 'start', '0'])
      const [, , start2, end2] = receiver.seen(check)
      assert.equal(start2!.query.get('rid'), end2!.query.get('rid'))
      assert.equal(String(end2!.body), 'lost\n')
      for (const { query } of [start2!, end2!]) assert.ok(Number(query.get('at')) >= before)
      assert.deepEqual(readdirSync(spool), [])
    })

    test('what is older than a week is thrown away, and what a living process keeps is left to it', async () => {
      const { check, spool, args } = fresh('ok')
      mkdirSync(spool, { recursive: true })
      const now = Math.floor(Date.now() / 1000)
      const url = `${receiver.root}/ping/${check}/0?rid=x`
      writeFileSync(join(spool, `${now - 8 * 86_400}.old.end.1`), `${url}\n`)
      for (const rid of ['old', 'killed']) writeFileSync(join(spool, `${rid}.body`), 'output')
      utimesSync(join(spool, 'killed.body'), now - 10 * 86_400, now - 10 * 86_400)
      writeFileSync(join(spool, `${now - 60}.own.end.${process.pid}`), `${url}\n`)
      await start(wrapper, [...args, 'true'], { env: { PUNCTUAL_SPOOL: spool } }).done
      assert.deepEqual(actions(check), ['start', '0'])
      assert.deepEqual(readdirSync(spool), [`${now - 60}.own.end.${process.pid}`])
    })

    test('what a killed process had opened but not written is removed', async () => {
      const { check, spool, args } = fresh('ok')
      mkdirSync(spool, { recursive: true })
      for (const action of ['begin', 'end']) {
        writeFileSync(join(spool, `${Math.floor(Date.now() / 1000) - 60}.cut.${action}.999999999`), '')
      }
      writeFileSync(join(spool, 'cut.body'), 'output')
      await start(wrapper, [...args, 'true'], { env: { PUNCTUAL_SPOOL: spool } }).done
      assert.deepEqual(actions(check), ['start', '0'])
      assert.deepEqual(readdirSync(spool), [])
    })

    test('of an output that is sent later, the server keeps the end', async () => {
      const { check, spool, args } = fresh('short')
      mkdirSync(spool, { recursive: true })
      writeFileSync(
        join(spool, `${Math.floor(Date.now() / 1000) - 60}.old.end.999999999`),
        `${receiver.root}/ping/${check}/9?rid=x\n`,
      )
      writeFileSync(join(spool, 'old.body'), `${'x'.repeat(100)}${'y'.repeat(50)}`)
      await start(wrapper, [...args, 'true'], { env: { PUNCTUAL_SPOOL: spool } }).done
      assert.deepEqual(actions(check), ['start', '0', '9'])
      assert.equal(String(receiver.seen(check).at(-1)!.body), 'y'.repeat(50))
      assert.deepEqual(readdirSync(spool), [])
    })

    test('on a full disk pings are sent, and nothing half-written stays', async () => {
      // A file may not have any content; a pipe may.
      const full = ['sh', '-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'full', ...wrapper.command]
      for (const server of ['ok', '503']) {
        const { check, spool, args } = fresh(server)
        const env = { PUNCTUAL_SPOOL: spool }
        const run = start(
          { ...wrapper, command: full },
          ['--retry', '0', ...args, 'sh', '-c', 'echo a; exit 3'],
          {
            env,
          },
        )
        const { status, out, said } = await run.done
        assert.equal(status, 3)
        assert.equal(out.toString(), 'a\n')
        assert.match(said, server === 'ok' ? /^$/ : /could not be kept/)
        assert.deepEqual(actions(check), server === 'ok' ? ['start', '3'] : [])
        assert.deepEqual(readdirSync(spool), [])
      }
    })

    test('--lock lets one run at a time, and takes the lock of a process that has ended', async () => {
      const { check, spool, args } = fresh('ok')
      const env = { PUNCTUAL_SPOOL: spool }
      const one = start(wrapper, ['--lock', ...args, 'sh', '-c', 'echo ready; sleep 1; exit 3'], { env })
      await once(one.child.stdout!, 'data')
      const other = await start(wrapper, ['--lock', ...args, 'echo', 'ran'], { env }).done
      assert.deepEqual([other.status, String(other.out)], [75, ''])
      assert.match(other.said, /runs already, as process \d+/)
      assert.equal((await one.done).status, 3)
      assert.deepEqual(actions(check), ['start', '3'])
      const killed = start(wrapper, ['--lock', ...args, 'sh', '-c', 'echo $$; exec sleep 60'], { env })
      const [pid] = await once(killed.child.stdout!, 'data')
      for (const each of wrappers()) {
        assert.equal((await start(each, ['--lock', ...args, 'true'], { env }).done).status, 75, each.name)
      }
      const lock = join(spool, readdirSync(spool).find(name => name.startsWith('lock.'))!)
      killed.child.kill('SIGKILL')
      process.kill(Number(pid))
      await killed.done
      assert.equal((await start(wrapper, ['--lock', ...args, 'true'], { env }).done).status, 0)
      // The number of a process that has ended, used again.
      if (existsSync('/proc/self/stat')) {
        symlinkSync(`${process.pid}.1`, lock)
        assert.equal((await start(wrapper, ['--lock', ...args, 'true'], { env }).done).status, 0)
      }
    })

    test('forty at once lose no ping, whether they were taken or kept', async () => {
      const { check, spool, args } = fresh('ok')
      const env = { PUNCTUAL_SPOOL: spool }
      const all = await Promise.all(
        Array.from(
          { length: 40 },
          (_, n) => start(wrapper, [...args, 'sh', '-c', `exit ${n}`], { env }).done,
        ),
      )
      assert.deepEqual(
        all.map(({ status }) => status),
        Array.from({ length: 40 }, (_, n) => n),
      )
      const ends = receiver.seen(check).filter(({ action }) => action !== 'start')
      assert.deepEqual(new Set(ends.map(({ action }) => Number(action))).size, 40)
      assert.deepEqual(kept(spool), [])
    })

    test('killed at any moment, it loses no ping of a command that has ended', async () => {
      const { check, spool, args } = fresh('ok')
      const env = { PUNCTUAL_SPOOL: spool }
      for (let ms = 20; ms <= 240; ms += 20) {
        const { child } = start(wrapper, [...args, 'true'], { env })
        const timer = setTimeout(() => child.kill('SIGKILL'), ms)
        await once(child, 'exit')
        clearTimeout(timer)
      }
      const left = () => readdirSync(spool).filter(name => name.includes('.end.'))
      // A run whose own request finds no answer on a busy machine leaves the rest to the next one.
      let said = ''
      for (let n = 0; n === 0 || (n < 5 && left().length > 0); n++) {
        const last = await start(wrapper, [...args, 'true'], { env }).done
        assert.equal(last.status, 0)
        said += last.said
      }
      const sent = receiver.seen(check).map(({ path, query }) => `${path} ${query.get('rid')}`)
      const kept = left().map(name => [name, readFileSync(join(spool, name), 'utf8')])
      assert.deepEqual(kept, [], `said: ${said}\nsent: ${sent.join('\n')}`)
    })
  })
}

for (const wrapper of wrappers().filter(({ command }) => command.includes(SCRIPT))) {
  test(`killed after any of its processes was started, ${wrapper.name} leaves none that waits`, async () => {
    const lines = readFileSync(SCRIPT, 'utf8').split('\n')
    const starts = lines.flatMap((line, n) => (/^\s*px_\w+=\$!$/.test(line) ? [n] : []))
    assert.ok(starts.length >= 5)
    for (const n of starts) {
      const copy = join(newFolder(), 'exec.sh')
      writeFileSync(copy, lines.toSpliced(n + 1, 0, 'kill -s KILL $$').join('\n'))
      const { spool, args } = fresh('ok')
      const command = wrapper.command.map(part => (part === SCRIPT ? copy : part))
      const { child, done } = start({ ...wrapper, command }, [...args, 'true'], {
        env: { PUNCTUAL_SPOOL: spool },
      })
      // A process that waits keeps the error stream open.
      const patience = AbortSignal.timeout(20_000)
      await Promise.race([done, once(patience, 'abort')])
      for (const stream of [child.stdout, child.stderr]) stream!.destroy()
      assert.ok(!patience.aborted, `killed after line ${n + 1}: ${lines[n - 1]}`)
    }
  })
}

test('without curl and wget the command runs, and its pings are kept', async () => {
  const { spool, args } = fresh('ok')
  const { status, said } = await start({ ...first!, path: SILENT_PATH }, [...args, 'sh', '-c', 'exit 4'], {
    env: { PUNCTUAL_SPOOL: spool },
  }).done
  assert.equal(status, 4)
  assert.match(said, /neither curl nor wget/)
  assert.deepEqual(kept(spool), ['begin', 'end'])
})

test('ShellCheck finds nothing in the script', {
  skip: spawnSync('shellcheck', ['--version']).error !== undefined,
}, () => {
  const { stdout } = spawnSync('shellcheck', ['-s', 'sh', '-S', 'warning', SCRIPT], { encoding: 'utf8' })
  assert.equal(stdout, '')
})

/** A check, a spool, and the options for them. */
function fresh(server: string) {
  const check = `${server}-${checks++}`
  const spool = join(newFolder(), 'spool')
  return { check, spool, args: ['--url', `${receiver.root}/ping/${check}`, '--'] }
}

function actions(check: string): string[] {
  return receiver.seen(check).map(({ action }) => action)
}
