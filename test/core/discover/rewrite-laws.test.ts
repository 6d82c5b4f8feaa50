/** Laws of rewriting crontabs: random texts, and commands that a shell runs before and after. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type PlannedLine, rewriteCrontab } from '../../../src/core/discover/plan-crontab.js'
import { addressesOf, PING, plan, rewrite } from './planned.js'

// What a random crontab is made of: odd, but what cron takes.
const PIECES = [
  '0 3 * * * ',
  '*/5 * * * *\t',
  '@daily ',
  '@reboot ',
  '  1 2 3 4 5 ',
  '* * * * * * ',
  '61 * * * * ',
  '# ',
  'A=b',
  'CRON_TZ=Asia/Tokyo',
  'SHELL=/bin/bash',
  '/bin/a',
  'b -x',
  ' | c',
  ' && d',
  ' || e',
  '; f',
  ' &',
  ' # note',
  ' # punctual: kept',
  '%in%put',
  ' \\%d',
  ` 'q'`,
  ' "w\\"x"',
  ' $(y)',
  ' `z`',
  "'",
  '"',
  '\\',
  ' ',
  '\t',
  'root ',
  '\u00e9\u00ff\u0080',
  '=',
  '(',
  ')',
  'exit 1',
  '2>&1',
  ' #',
]

function* randomCrontabs(count: number): Generator<string> {
  let seed = 12_345
  const below = (n: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >>> 8) % n
  }
  for (let n = 0; n < count; n++) {
    let text = ''
    for (let line = below(6); line >= 0; line--) {
      if (below(3) > 0) text += PIECES[below(6)]
      for (let piece = below(6); piece > 0; piece--) text += PIECES[below(PIECES.length)]
      text += line > 0 || below(2) ? ['\n', '\n', '\r\n', '\n\n'][below(4)] : ''
    }
    yield text
  }
}

/** Whether `after` is `before` with brackets around the job, a ping behind it, and the slug at the end of the comment. */
function isOnlyMore(before: string, after: string, slug: string): boolean {
  const ping = `; ${PING} https://p.example/ping/${slug}/$?`
  const at = after.indexOf(ping)
  const job = after.slice(0, at)
  const behind = after.slice(at + ping.length)
  const jobs = [job]
  if (job.endsWith(' )')) {
    for (let open = job.indexOf('( '); open >= 0; open = job.indexOf('( ', open + 1)) {
      jobs.push(job.slice(0, open) + job.slice(open + 2, -2))
    }
  }
  const mark = ` # punctual: ${slug}`
  const comments = [behind, behind.replace(mark, ''), behind.replace(mark, '').slice(1)]
  return at > 0 && jobs.some(start => comments.some(end => start + end === before))
}

test('a rewritten crontab only has more, in the lines with a check, and a second run changes nothing', () => {
  let checks = 0
  for (const format of ['user', 'system'] as const) {
    for (const text of randomCrontabs(600)) {
      const lines = plan(text, format)
      const written = rewriteCrontab(text, lines, addressesOf(lines))
      const [before, after] = [text.split('\n'), written.split('\n')]
      assert.equal(after.length, before.length)
      for (const [index, line] of before.entries()) {
        const planned = lines.find(found => found.line === index + 1)
        if (!planned?.check) assert.equal(after[index], line)
        else {
          checks += 1
          const { slug } = planned.check
          assert.ok(isOnlyMore(line, after[index]!, slug), JSON.stringify({ line, after: after[index] }))
        }
      }
      const again = plan(written, format)
      assert.deepEqual(
        again.map(l => l.check?.slug),
        lines.map(l => l.check?.slug),
        JSON.stringify({ text, written }),
      )
      assert.deepEqual(
        again.filter(l => l.check).map(l => l.pings),
        [...addressesOf(lines).values()],
      )
      assert.equal(rewriteCrontab(written, again, addressesOf(again)), written)
    }
  }
  assert.ok(checks > 300, `${checks} checks`)
})

// Each is run by a shell as it was and as it is rewritten: the output must be the same, and the status what is sent.
const RUN = [
  'true',
  'false',
  'sh -c "exit 7"',
  'true; false',
  'false; true',
  'true && false',
  'false || true',
  'true | false',
  '! true',
  'exit 4',
  'cd /nowhere 2>/dev/null || exit 5; true',
  'exec sh -c "exit 6"',
  'set -e; false; true',
  'echo a & wait; false',
  'sleep 0 &',
  'true;',
  '( exit 8 )',
  '{ echo x; false; }',
  'if true; then false; fi',
  'for i in 1 2; do echo $i; done',
  'case a in a) false;; esac',
  `echo "a # b"`,
  `echo 'a # b' # c`,
  'echo a#b',
  'false # comment; exit 9',
  'echo "$(echo "a # b")"',
  'echo `echo "x # y"` # z',
  'echo "it\'s" \'"\'',
  'echo a\\ # b',
  'echo $' + '{X#y} $#',
  'trap "echo bye" EXIT; false',
  'read x; echo "got $x"',
  'echo a >/dev/null 2>&1',
  'nosuchprogram 2>/dev/null',
]

test('a rewritten command does what it did, and sends its exit status', t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-crontab-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const sent = join(folder, 'sent')
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nfor last; do :; done\necho "$last" >> ${sent}\n`)
  chmodSync(join(folder, 'curl'), 0o755)
  const run = (shell: string, command: string) =>
    spawnSync(shell, ['-c', command], {
      input: 'line\nline 2\n',
      env: { PATH: `${folder}:${process.env.PATH}` },
      encoding: 'utf8',
    })
  for (const shell of ['sh', 'bash']) {
    for (const command of RUN) {
      const original = run(shell, command)
      writeFileSync(sent, '')
      const [{ check, reason }] = plan(`* * * * * ${command}`) as [PlannedLine]
      assert.ok(check, `${command}: ${reason}`)
      const written = run(shell, rewrite(`* * * * * ${command}`).slice('* * * * * '.length))
      assert.equal(written.stdout, original.stdout, command)
      assert.equal(written.stderr, original.stderr, command)
      assert.equal(
        readFileSync(sent, 'utf8'),
        `https://p.example/ping/${check.slug}/${original.status}\n`,
        command,
      )
    }
  }
})
