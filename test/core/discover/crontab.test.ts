/** Reading crontabs, planning checks for them, and rewriting their lines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlannedLine, rewriteCrontab } from '../../../src/core/discover/plan-crontab.js'
import { type CrontabFormat, guessFormat } from '../../../src/core/discover/read-crontab.js'
import { PING, plan, rewrite } from './planned.js'

/** The slug and schedule of each line, or why it gets no check. */
const outcome = (text: string, format: CrontabFormat = 'user') =>
  plan(text, format).map(({ check, reason }) => (check ? `${check.slug} ${check.schedule}` : reason))

const READ: [name: string, text: string, format: CrontabFormat, expected: (string | null)[]][] = [
  ['a line', '15 3 * * * /usr/local/bin/backup.sh', 'user', ['backup 15 3 * * *']],
  ['blanks and tabs', ' \t15\t3  * * *\t/bin/backup\n\n', 'user', ['backup 15 3 * * *']],
  ['a user field', '17 * * * * root /bin/sync-all', 'system', ['sync-all 17 * * * *']],
  [
    'words for times',
    '@daily a\n@hourly b\n@annually c\n@midnight d',
    'user',
    ['a 0 0 * * *', 'b 0 * * * *', 'c 0 0 1 1 *', 'd 0 0 * * *'],
  ],
  ['a word and a user', '@weekly root a', 'system', ['a 0 0 * * 0']],
  ['@reboot', '@reboot /bin/a', 'user', ['it runs when the machine starts, not at a time']],
  ['an unknown word', '@fortnightly a', 'user', ['@fortnightly is not a time that Punctual knows']],
  ['six fields', '0 */5 * * * * /bin/a', 'user', ['it has six fields of time, and cron knows five']],
  [
    'six fields with names',
    '0 0 12 * * MON-FRI a',
    'user',
    ['it has six fields of time, and cron knows five'],
  ],
  ['six fields of Quartz', '0 0 12 * * ? a', 'user', ['it has six fields of time, and cron knows five']],
  [
    'six fields instead of a user',
    '0 */5 * * * * /bin/a',
    'system',
    ['it has six fields of time, and cron knows five'],
  ],
  ['no command', '* * * * *', 'user', ['it has no command']],
  ['no command after a user', '* * * * * root', 'system', ['it has no command']],
  ['only a comment as a command', '* * * * * # off', 'user', ['it has no command']],
  ['only input', '* * * * * %hello', 'user', ['it has no command']],
  ['no line of a crontab', 'hello world', 'user', ['it is no line of a crontab']],
  [
    'a comment and a setting',
    '# 1 2 3 4 5 a\nMAILTO=me\nPATH = "/a:/b"\n\'X\'=1\nA="* * * * * b"\n',
    'user',
    [],
  ],
  ['a setting in the command', '* * * * * LANG=C FOO=b /bin/job', 'user', ['job * * * * *']],
  ['CRLF', 'MAILTO=a\r\n* * * * * /bin/a\r\n# b\r\n', 'user', ['a * * * * *']],
  [
    'another shell',
    '* * * * * a\nSHELL=/usr/bin/fish\n* * * * * b\nSHELL=/bin/bash\n* * * * * c',
    'user',
    ['a * * * * *', 'SHELL is /usr/bin/fish, which reads commands in another way than sh', 'c * * * * *'],
  ],
  ['an unknown zone', 'CRON_TZ=Mars/Base\n* * * * * a', 'user', ['CRON_TZ=Mars/Base is not a time zone']],
  [
    'run-parts',
    '17 * * * * root cd / && run-parts --report /etc/cron.hourly',
    'system',
    ['cron-hourly 17 * * * *'],
  ],
  [
    'run-parts unless there is anacron',
    '25 6 * * * root test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }',
    'system',
    ['cron-daily 25 6 * * *'],
  ],
  ['open quotes', `* * * * * echo 'a`, 'user', ['its quotes or brackets are not closed']],
  ['a backslash at the end', '* * * * * a \\', 'user', ['it ends with a backslash']],
  ['a pipe at the end', '* * * * * a |', 'user', ['it ends where another command is expected']],
  ['a line that pings', '* * * * * a && curl https://hc-ping.com/abc', 'user', ['it pings a check already']],
  [
    'a line that runs with exec',
    '* * * * * punctual exec --slug a -- b',
    'user',
    ['it runs with punctual exec already'],
  ],
  [
    'a very long line',
    `* * * * * echo ${'a'.repeat(900)}`,
    'user',
    ['it is too long for cron to add something'],
  ],
  [
    'one name twice',
    '* * * * * a\n1 * * * * /x/a\n2 * * * * a.sh',
    'user',
    ['a * * * * *', 'a-2 1 * * * *', 'a-3 2 * * * *'],
  ],
  [
    'a comment that a line has twice',
    '* * * * * a # punctual: a\n1 * * * * b # punctual: a',
    'user',
    ['a * * * * *', 'line 1 has the comment “punctual: a” too'],
  ],
  [
    'a slug that a later line keeps',
    '* * * * * a\n1 * * * * b # punctual: a',
    'user',
    ['a-2 * * * * *', 'a 1 * * * *'],
  ],
]

for (const [name, text, format, expected] of READ) {
  test(`a plan of a crontab: ${name}`, () => assert.deepEqual(outcome(text, format), expected))
}

test('a time that is not understood is left alone, with what would be right', () => {
  assert.match(plan('61 * * * * a')[0]!.reason!, /its time is not understood: The first field, the minute/)
})

test('a check has the zone of CRON_TZ from there on, else that of the machine', () => {
  const zones = plan('0 1 * * * a\nCRON_TZ=Asia/Calcutta\n0 2 * * * b').map(({ check }) => check!.tz)
  assert.deepEqual(zones, ['Europe/Riga', 'Asia/Kolkata'])
})

test('grace is half of the shortest gap, within five minutes and an hour, and the delay', () => {
  const graces = plan('* * * * * a\n*/20 * * * * b\n0 3 * * * c\nRANDOM_DELAY=45\n0 3 * * * d').map(
    l => l.check!.grace,
  )
  assert.deepEqual(graces, [300, 600, 3_600, 6_300])
})

test('checks of a machine have its name', () => {
  const [{ check }] = plan('0 3 * * * /bin/backup.sh', 'user', 'Web1') as [PlannedLine]
  assert.deepEqual([check!.name, check!.slug, check!.tags], ['Web1 backup', 'web1-backup', 'cron web1'])
})

const NAMES: [command: string, name: string][] = [
  ['cd /srv/app && /usr/bin/php artisan schedule:run >> /dev/null 2>&1', 'artisan schedule:run'],
  ['sudo -u www-data nice -n 10 ionice -c 3 /opt/x/backup.py --all', 'backup'],
  ['flock -n /tmp/lock -c /bin/true', 'true'],
  ['[ -x /usr/bin/certbot ] && certbot -q renew', 'certbot renew'],
  ['/usr/bin/python3 -m reports.daily', 'reports.daily'],
  ['command -v debian-sa1 > /dev/null && debian-sa1 1 1', 'debian-sa1'],
  ['été.sh', 'été'],
  ['$(x)', 'x'],
]
for (const [command, name] of NAMES) {
  test(`the name of: ${command}`, () => assert.equal(plan(`0 3 * * * ${command}`)[0]!.check!.name, name))
}

const REWRITTEN: [name: string, before: string, after: string][] = [
  ['a command', '/bin/a', `/bin/a; ${PING} URL/$? # punctual: a`],
  ['blanks at the end', '/bin/a  \t', `/bin/a; ${PING} URL/$? # punctual: a  \t`],
  ['a comment', 'a # why', `a; ${PING} URL/$? # why # punctual: a`],
  ['a comment that keeps a check', 'b # punctual: a', `b; ${PING} URL/$? # punctual: a`],
  ['input', 'a%x%y # z', `a; ${PING} URL/$? # punctual: a%x%y # z`],
  ['an escaped percent sign', 'a "+\\%F"', `a "+\\%F"; ${PING} URL/$? # punctual: a`],
  ['an escaped backslash before input', 'a \\\\%x', `a \\\\; ${PING} URL/$? # punctual: a%x`],
  ['the end of a list', 'a &', `( a & ); ${PING} URL/$? # punctual: a`],
  ['a shell that ends', 'a || exit 3', `( a || exit 3 ); ${PING} URL/$? # punctual: a`],
  [
    'a hash that is no comment',
    `a "# b" '#' c#d \\# $# \${x#y}`,
    `a "# b" '#' c#d \\# $# \${x#y}; ${PING} URL/$? # punctual: a`,
  ],
]
for (const [name, before, expected] of REWRITTEN) {
  test(`a rewritten line: ${name}`, () => {
    const written = rewrite(`1 2 * * * ${before}\r\n# end`)
    assert.equal(written, `1 2 * * * ${expected.replace('URL', 'https://p.example/ping/a')}\r\n# end`)
  })
}

test('percent signs of an address are escaped, and another address replaces the first one', () => {
  const text = '* * * * * a'
  const first = rewriteCrontab(text, plan(text), new Map([[1, 'https://p.example/a%20b/ping/1']]))
  assert.match(first, /a\\%20b\/ping\/1\/\$\? # punctual: a$/)
  assert.equal(plan(first)[0]!.pings, 'https://p.example/a%20b/ping/1')
  assert.equal(
    rewriteCrontab(first, plan(first), new Map([[1, 'https://p.example/ping/2']])),
    rewrite(text).replace('ping/a', 'ping/2'),
  )
})

test('an edited line keeps its check, with its new time', () => {
  const written = rewrite('0 3 * * * /bin/backup.sh --all')
  const edited = written.replace('0 3', '0 5').replace('/bin/backup.sh --all', '/opt/dump now')
  const [{ check, pings }] = plan(edited) as [PlannedLine]
  assert.deepEqual(
    [check!.slug, check!.schedule, pings],
    ['backup', '0 5 * * *', 'https://p.example/ping/backup'],
  )
  assert.equal(rewrite(edited), edited)
})

test('the format of a crontab is guessed by its users', () => {
  assert.equal(guessFormat('SHELL=/bin/sh\n17 * * * * root cd / && a\n1 1 * * * www-data b\n'), 'system')
  assert.equal(guessFormat('17 * * * * /bin/a\n1 1 * * * root b\n'), 'user')
  assert.equal(guessFormat(''), 'user')
})
