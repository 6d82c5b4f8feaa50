import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckChanges } from '../../src/core/checks/check-changes.js'
import { MailReader } from '../../src/lib/mail/mail-reader.js'
import { DOMAIN, openSmtpWorld } from '../_support/servers/smtp-world.js'

const world = await openSmtpWorld()

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64')
const inBody: CheckChanges = { filterBody: true, failureKw: 'ЖЖЖ, FAILED', successKw: 'Größe, 成功' }
const part = (headers: string, body: string) => `MIME-Version: 1.0\r\n${headers}\r\n\r\n${body}`
const alternative = (...parts: string[]) =>
  part(
    'Content-Type: multipart/alternative; boundary="b"',
    `${parts.map(one => `--b\r\n${one}\r\n`).join('')}--b--`,
  )

// name, rules, message, action
const rows: [string, CheckChanges, string | Buffer, string][] = [
  ['without rules every e-mail is a success', {}, 'Subject: FAILED\r\n\r\nFAILED', 'success'],
  [
    'rules for the bodies of requests leave e-mails alone',
    { filterHttpBody: true, failureKw: 'FAILED' },
    'Subject: FAILED\r\n\r\nx',
    'success',
  ],
  [
    'a keyword in the subject',
    { filterSubject: true, failureKw: 'FAILED' },
    'Subject: backup FAILED\r\n\r\nx',
    'fail',
  ],
  [
    'failure is looked for before success',
    { filterSubject: true, failureKw: 'FAILED', successKw: 'backup' },
    'Subject: backup FAILED\r\n\r\nx',
    'fail',
  ],
  ['a start', { filterSubject: true, startKw: 'begun' }, 'Subject: begun\r\n\r\nx', 'start'],
  ['no keyword', { filterSubject: true, successKw: 'done' }, 'Subject: hm\r\n\r\ndone', 'ign'],
  [
    'no keyword where that means failure',
    { filterSubject: true, successKw: 'done', filterDefaultFail: true },
    'Subject: hm\r\n\r\nx',
    'fail',
  ],
  ['no subject at all', { filterSubject: true, successKw: 'done' }, 'X-A: done\r\n\r\nx', 'ign'],
  [
    'an encoded subject',
    { filterSubject: true, successKw: 'Größe' },
    `Subject: =?iso-8859-1?Q?Gr=F6=DFe?= =?utf-8?B?${base64(' ok')}?=\r\n\r\nx`,
    'success',
  ],
  [
    'a folded subject',
    { filterSubject: true, successKw: 'all went well' },
    'Subject: all went\r\n well\r\n\r\nx',
    'success',
  ],
  ['the body is not the subject', { filterBody: true, successKw: 'done' }, 'Subject: done\r\n\r\nx', 'ign'],
  [
    'subject and body together',
    { filterSubject: true, filterBody: true, successKw: 'b', failureKw: 'a' },
    'Subject: b\r\n\r\na',
    'fail',
  ],
  [
    'a body in base64',
    inBody,
    part(
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64',
      base64('die Größe stimmt'),
    ),
    'success',
  ],
  [
    'a body in quoted-printable, broken in the middle of the word',
    inBody,
    part(
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable',
      'Gr=C3=B6=\r\n=C3=9Fe',
    ),
    'success',
  ],
  [
    'a body in KOI8-R, eight bits',
    inBody,
    Buffer.from(
      part('Content-Type: text/plain; charset=koi8-r\r\nContent-Transfer-Encoding: 8bit', '\xf6\xf6\xf6'),
      'latin1',
    ),
    'fail',
  ],
  [
    'a body in ISO-2022-JP',
    inBody,
    part(
      'Content-Type: text/plain; charset=iso-2022-jp\r\nContent-Transfer-Encoding: 7bit',
      '\x1b$B@.8y\x1b(B',
    ),
    'success',
  ],
  [
    'a body in UTF-16',
    inBody,
    part(
      'Content-Type: text/plain; charset=utf-16le\r\nContent-Transfer-Encoding: base64',
      base64('Größe', 'utf16le'),
    ),
    'success',
  ],
  [
    'a character set that nobody knows',
    inBody,
    part('Content-Type: text/plain; charset=x-nobody', 'it FAILED'),
    'fail',
  ],
  [
    'HTML, as people see it',
    inBody,
    part(
      'Content-Type: text/html',
      '<style>.Größe{}</style><script>Größe</script><p>It <b>F</b>AIL&#69;D</p>',
    ),
    'fail',
  ],
  [
    'HTML beside a plain text',
    inBody,
    alternative(
      'Content-Type: text/plain\r\n\r\nsee the table',
      'Content-Type: text/html\r\n\r\n<p>FAILED</p>',
    ),
    'fail',
  ],
  [
    'an attachment is not looked into',
    inBody,
    part(
      'Content-Type: multipart/mixed; boundary="b"',
      '--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: text/plain\r\n' +
        'Content-Disposition: attachment; filename=log.txt\r\n\r\nFAILED\r\n--b--',
    ),
    'ign',
  ],
  [
    'nor is an attached e-mail',
    inBody,
    part(
      'Content-Type: multipart/mixed; boundary="b"',
      '--b\r\n\r\nhello\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: FAILED\r\n\r\nFAILED\r\n--b--',
    ),
    'ign',
  ],
  ['base64 that is none', inBody, part('Content-Transfer-Encoding: base64', '@@ FAILED @@'), 'ign'],
  ['the deprecated subject', { subject: 'done', subjectFail: '' }, 'Subject: hm\r\n\r\nx', 'ign'],
  [
    'an empty subject makes every e-mail a success',
    { subject: '', subjectFail: 'FAILED' },
    'Subject: hm\r\n\r\nx',
    'success',
  ],
  [
    'but for one that matches subject_fail',
    { subject: '', subjectFail: 'FAILED' },
    'Subject: FAILED\r\n\r\nx',
    'fail',
  ],
]

for (const [name, rules, message, action] of rows) {
  test(`${name}: ${action}`, async () => {
    const uuid = await world.addCheck(rules)
    const { ping } = await world.sent(uuid, message)
    assert.equal(ping.action, action)
    assert.deepEqual(world.errors, [])
  })
}

test('one e-mail may be a failure of one check and a success of another', async () => {
  const checks = await Promise.all([
    world.addCheck({ filterSubject: true, failureKw: 'FAILED' }),
    world.addCheck(),
    world.addCheck({ filterSubject: true, startKw: 'begun' }),
  ])
  await world.send(
    checks.map(uuid => `${uuid}@${DOMAIN}`),
    { subject: 'It FAILED' },
  )
  const kinds = await Promise.all(checks.map(async uuid => (await world.lastPing(uuid))?.ping.action))
  assert.deepEqual(kinds, ['fail', 'success', 'ign'])
})

test('an e-mail is read only where one of its recipients is a check that looks into it', async t => {
  const reader = new MailReader()
  let read = 0
  const readMail = (raw: Uint8Array) => {
    read++
    return reader.read(raw)
  }
  const own = await openSmtpWorld({ readMail }, t)
  const nobody = '3cba109f-0c06-47ea-8a3c-2f7d6a5f0e1'
  await own.send([`${nobody}1@${DOMAIN}`, `${nobody}2@${DOMAIN}`, `${own.pingKey}+no-such-slug@${DOMAIN}`])
  const [one, two] = [await own.addCheck(), await own.addCheck()]
  await own.send([`${one}@${DOMAIN}`, `${two}@${DOMAIN}`])
  assert.equal(read, 0)
  const looking = await own.addCheck({ filterSubject: true, failureKw: 'FAILED' })
  await own.send([`${one}@${DOMAIN}`, `${looking}@${DOMAIN}`], { subject: 'Job FAILED' })
  assert.equal(read, 1)
  assert.deepEqual([await own.pings(one), await own.pings(two)], [2, 1])
  assert.equal((await own.lastPing(looking))!.ping.action, 'fail')
})
