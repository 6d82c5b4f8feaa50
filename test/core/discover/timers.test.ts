/** Planning checks for timers of systemd, and the drop-ins by which their services ping. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { dropInText, planTimer, type TimerFiles } from '../../../src/core/discover/plan-timer.js'
import { readTimeSpan } from '../../../src/core/discover/read-unit.js'
import { tempFolder } from '../../_support/worlds/store.js'

const plan = (timer: string, more: Partial<TimerFiles> = {}, taken = new Set<string>()) =>
  planTimer(
    {
      name: 'backup',
      timer: `[Timer]\n${timer}`,
      service: '[Service]\nExecStart=/bin/a',
      dropIn: null,
      ...more,
    },
    { tz: 'Europe/Riga', host: 'web1', now: Date.UTC(2026, 0, 1), taken },
  )

const outcome = (timer: string, more: Partial<TimerFiles> = {}) => {
  const { check, reason } = plan(timer, more)
  return check ? `${check.schedule ?? check.period} ${check.grace}` : reason
}

const CASES: [name: string, timer: string, expected: string][] = [
  ['a calendar', 'OnCalendar=daily\nPersistent=true', 'daily 3660'],
  [
    'several calendars',
    'OnCalendar=Mon 03:00\nOnCalendar=Fri *-*-* 04:00:00',
    'Mon 03:00\nFri *-*-* 04:00:00 3660',
  ],
  [
    'an empty value that forgets the one before',
    'OnCalendar=daily\nOnCalendar=\nOnCalendar=hourly',
    'hourly 1860',
  ],
  ['a delay and an accuracy', 'OnCalendar=daily\nRandomizedDelaySec=1h 30min\nAccuracySec=1us', 'daily 9001'],
  [
    'comments, other sections, blanks and CRLF',
    '# OnCalendar=x\r\n;y\r\n OnCalendar = hourly \r\n[Install]\r\nOnCalendar=daily',
    'hourly 1860',
  ],
  ['a value on several lines', 'OnCalendar=Mon..Fri \\\n  09:00', 'Mon..Fri  09:00 3660'],
  ['time since the last run', 'OnBootSec=5min\nOnUnitActiveSec=15min', '900 510'],
  ['time since the last end', 'OnUnitInactiveSec=1d', '86400 3660'],
  [
    'only a start of the machine',
    'OnBootSec=5min',
    'it runs after a start of the machine or of a unit, not at a time',
  ],
  ['too short a time', 'OnUnitActiveSec=10', 'the time between its runs is not from a minute to a year'],
  ['no length of time', 'OnUnitActiveSec=soon', 'the time between its runs is not from a minute to a year'],
  ['another kind of unit', 'OnCalendar=daily\nUnit=a.target', 'it starts a.target, which is not a service'],
]
for (const [name, timer, expected] of CASES) {
  test(`a plan of a timer: ${name}`, () => assert.equal(outcome(timer), expected))
}

test('a service that cannot ping is left alone', () => {
  const of = (service: string) => outcome('OnCalendar=daily', { service })
  assert.match(of('[Service]\nPrivateNetwork=yes')!, /no network or another root: PrivateNetwork=yes/)
  assert.match(of('[Service]\nRestrictAddressFamilies=AF_UNIX')!, /RestrictAddressFamilies/)
  assert.match(of('[Service]\nRestrictAddressFamilies=AF_UNIX AF_INET')!, /^daily/)
  assert.match(of('[Service]\nExecStopPost=/bin/curl https://p.example/ping/x')!, /pings a check already/)
  assert.equal(of(''), 'there is no backup.service')
})

test('a timer keeps the check of its drop-in, and the address is read from it', () => {
  const dropIn = dropInText('my-slug', 'https://p.example/a%20b/ping/1')
  const { check, pings } = plan('OnCalendar=daily', { dropIn }, new Set(['my-slug']))
  assert.deepEqual([check!.slug, pings], ['my-slug', 'https://p.example/a%20b/ping/1'])
  const fresh = plan('OnCalendar=daily').check!
  assert.deepEqual(
    [fresh.name, fresh.slug, fresh.tags, fresh.tz],
    ['web1 backup', 'web1-backup', 'systemd web1', 'Europe/Riga'],
  )
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test('systemd reads the drop-in without a complaint', { skip: !hasSystemd }, async t => {
  const folder = await tempFolder(t)
  const dropIns = join(folder, 'punctual-a.service.d')
  await mkdir(dropIns)
  await writeFile(join(folder, 'punctual-a.service'), '[Service]\nType=oneshot\nExecStart=/bin/true\n')
  const complaints = async (text: string) => {
    await writeFile(join(dropIns, 'punctual.conf'), text)
    const env = { PATH: process.env.PATH, SYSTEMD_UNIT_PATH: `${folder}:` }
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', 'punctual-a.service'], {
      env,
      encoding: 'utf8',
    })
    // Other units of this machine may have mistakes of their own.
    return stderr.split('\n').filter(line => line.includes('punctual'))
  }
  const text = dropInText('a', 'https://p.example/a%20b/ping/1')
  assert.deepEqual(await complaints(text), [])
  assert.match(
    (await complaints(text.replace('ExecStopPost', 'ExecStopPots'))).join(),
    /Unknown (key|lvalue)/,
  )
})

test('the drop-in sends 0 for a success, the exit status, or a failure', () => {
  const text = dropInText('a', 'https://p.example/ping/1')
  const command = /sh -c '(.*)'$/m.exec(text)![1]!.replaceAll('$$', '$').replace('exec curl', 'echo')
  const sent = (SERVICE_RESULT: string, EXIT_STATUS: string) =>
    spawnSync('sh', ['-c', command], { env: { SERVICE_RESULT, EXIT_STATUS }, encoding: 'utf8' })
      .stdout.trim()
      .split('/')
      .at(-1)
  assert.deepEqual(
    [
      sent('success', '1'),
      sent('exit-code', '3'),
      sent('signal', 'KILL'),
      sent('timeout', 'TERM'),
      sent('', ''),
    ],
    ['0', '3', 'fail', 'fail', 'fail'],
  )
})

test('lengths of time are read as systemd reads them', () => {
  const cases: [string, number | null][] = [
    ['90', 90],
    ['1h 30min', 5_400],
    ['2w1d', 1_296_000],
    ['1M', 2_629_800],
    ['1m', 60],
    ['500ms', 0.5],
    ['1.5h', 5_400],
    ['', null],
    ['x', null],
    ['5 parsec', null],
  ]
  for (const [text, expected] of cases) assert.equal(readTimeSpan(text), expected, text)
})
