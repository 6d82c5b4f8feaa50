import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachableMail } from '../../../src/lib/mail/attachable-mail.js'
import { parseMailTexts } from '../../../src/lib/mail/mail-texts.js'

const attachable = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(attachableMail(Buffer.from(text, encoding))).toString('latin1')

const multipart = (boundary: string, ...parts: string[]) =>
  [
    `Content-Type: multipart/mixed;\r\n boundary="${boundary}"\r\n\r\npreamble`,
    ...parts.map(part => `\r\n--${boundary}\r\n${part}`),
    `\r\n--${boundary}--\r\nepilogue`,
  ].join('')

test('a plain e-mail is attached byte for byte, even if it is malformed', () => {
  for (const text of [
    'Subject: x\r\n\r\nhello\r\n',
    'Subject: x\n\nhello\n',
    '\r\nhello',
    'no header at all',
    '',
    multipart('b', '\r\nhello', 'Content-Type: text/html\r\n\r\n<b>hello</b>', ''),
    'Content-Type: multipart/mixed\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nx',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\nno parts',
  ]) {
    assert.equal(attachable(text), text)
  }
})

test('attached e-mails at any level are replaced with a line', () => {
  const nested = 'Content-Type: Message/RFC822\r\n\r\nSubject: inner\r\n\r\nSECRET'
  const made = attachable(
    `Subject: x\r\n${multipart('a+', '\r\nhello', multipart('c', nested, '\r\nkept'), nested)}`,
  )
  assert.doesNotMatch(made, /SECRET|inner/)
  assert.equal(made.match(/An e-mail that was attached here was left out\./g)?.length, 2)
  assert.match(made, /hello[\s\S]*kept[\s\S]*--c--\r\nepilogue[\s\S]*--a\+--\r\nepilogue$/)
  const open = 'Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n\r\nSubject: inner\r\n\r\nSECRET'
  assert.match(attachable(open), /--b\r\nContent-Type: text\/plain[\s\S]*left out\.$/)
})

test('text that some servers refuse is encoded, and decodes to the same', async () => {
  const long = 'x'.repeat(1_200)
  const raw = multipart(
    'b',
    `Content-Transfer-Encoding: 8bit\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nZürich ${long}`,
    'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=C3=A9',
  )
  const made = attachable(raw)
  assert.doesNotMatch(made, /[\u0080-\u00ff]/)
  assert.ok(made.split('\r\n').every(line => line.length < 100))
  assert.equal(made.match(/Content-Transfer-Encoding/g)?.length, 2)
  const texts = await parseMailTexts(Buffer.from(made, 'latin1'))
  assert.ok(texts.text.startsWith(`Zürich ${long}`))
  assert.match(texts.html, /é/)
})

test('an e-mail crafted to take long is processed quickly', () => {
  let deep = 'hello'
  for (let level = 0; level < 2_000; level++) {
    deep = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${deep}\r\n--b${level}--`
  }
  assert.equal(attachable(deep), deep)
  const many = multipart('b', ...Array.from({ length: 100_000 }, () => ''))
  assert.equal(attachable(many), many)
})
