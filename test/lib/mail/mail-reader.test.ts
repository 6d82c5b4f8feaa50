import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MailReader, MailReaderBusy } from '../../../src/lib/mail/mail-reader.js'

const mail = (subject: string) => Buffer.from(`Subject: ${subject}\r\n\r\nbody`)

test('e-mails are parsed in order', async () => {
  const reader = new MailReader()
  const read = await Promise.all(['one', 'two', 'three'].map(subject => reader.read(mail(subject))))
  assert.deepEqual(
    read.map(texts => texts?.subject),
    ['one', 'two', 'three'],
  )
})

test('an e-mail over the limit of waiting ones is refused at once', async () => {
  const reader = new MailReader({ waiting: 2 })
  const [first, second] = [reader.read(mail('one')), reader.read(mail('two'))]
  await assert.rejects(reader.read(mail('three')), MailReaderBusy)
  await Promise.all([first, second])
  assert.equal((await reader.read(mail('four')))?.subject, 'four')
})

test('an e-mail whose sender has disconnected is dropped from the queue', async () => {
  const reader = new MailReader({ waiting: 2 })
  let isThere = true
  const first = reader.read(mail('one'))
  const second = reader.read(mail('two'), () => isThere)
  isThere = false
  const third = reader.read(mail('three'))
  assert.equal(await second, null)
  assert.equal((await first)?.subject, 'one')
  assert.equal((await third)?.subject, 'three')
})
