import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as words from '../../../src/core/people/mail-words.js'
import { quotedAddress, quotedName } from '../../../src/core/text/quoted-name.js'

const site = { name: 'Punctual', root: 'https://punctual.test' }
const { addressChangedWords, confirmationWords, invitationWords, newAddressWords } = words

/** What a stranger would like to have us write, as a name and as an address that mail servers may take. */
const NAME = `Your account is blocked”. Visit\nhttps://evil.example/login or www.evil.example ${'now '.repeat(40)}`
const ADDRESS = 'www.evil.example/login@evil.example'
const PERSON = { email: ADDRESS, emailProven: true }

/** Each e-mail around a link with what other people choose in it; the first address is the receiver's own. */
const mails: Record<string, words.LinkWords> = {
  signInWords: words.signInWords(site, 'alice@example.org'),
  signUpWords: words.signUpWords(site),
  knownAddressWords: words.knownAddressWords(site, 'alice@example.org'),
  newAddressWords: newAddressWords(site, PERSON),
  proveAddressWords: words.proveAddressWords(site),
  addressChangedWords: addressChangedWords(site, ADDRESS),
  offerWords: words.offerWords(site, NAME),
  invitationWords: invitationWords(site, PERSON, NAME, 'member'),
  acceptWords: words.acceptWords(site, NAME),
  confirmationWords: confirmationWords(site, PERSON, NAME, ADDRESS),
}

test('no e-mail mentions an unproven address of its author', () => {
  const boss = { email: 'boss@corp.example', emailProven: false }
  for (const { text } of [
    newAddressWords(site, boss),
    invitationWords(site, boss, 'Backups', 'member'),
    confirmationWords(site, boss, 'Backups', 'ops@example.org'),
  ]) {
    assert.ok(!text.includes('boss@'), text)
  }
  const proven = invitationWords(site, { ...boss, emailProven: true }, 'Backups', 'member')
  assert.match(proven.text, /^boss@corp\.example invites you/)
})

test('every e-mail with a link is checked for the rules about names', () => {
  assert.deepEqual(Object.keys(mails).sort(), Object.keys(words).sort())
})

for (const [name, { subject, text, label, note = '' }] of Object.entries(mails)) {
  test(`names and addresses of others are quoted, cut and without links in ${name}`, () => {
    assert.doesNotMatch(subject + label + note, /evil|blocked|visit/i)
    assert.doesNotMatch(text.replace(/“[^“”]*”/g, ''), /evil|blocked|visit/i)
    assert.doesNotMatch(text, /evil\.|www\.|:\/\/|\n/i)
    assert.ok(text.length < 350, text)
  })
}

const names: [name: string, shown: string][] = [
  ['Backups', '“Backups”'],
  [' Backups of  db1 & db2, at 2:30 ', '“Backups of db1 & db2, at 2:30”'],
  ['example.com', '“example_com”'],
  ['example\uff0ecom example\u3002com example\u2024com', '“example_com example_com example_com”'],
  ['https://203.0.113.7/x', '“https_//203_0_113_7/x”'],
  ['mailto:eve@evil.example', '“mailto_eve_evil_example”'],
  ['evil.\u200bexample', '“evil. example”'],
  ['"a" “b” «c»', '“’a’ ’b’ ’c’”'],
  ['a ❝b❞ 〝c〞 d″ e‴ f\u2057 g\u2032\u2032 \uff02h', '“a ’b’ ’c’ d’ e’ f’ g’ ’h”'],
  ['call tel:112 or sms:+371, at 2:30', '“call tel_112 or sms_+371, at 2:30”'],
  ['one\ntwo\r\nthree\u2028four', '“one two three four”'],
  ['\u202egnp.exe\u001b[31m', '“gnp_exe”'],
  ['x'.repeat(100), `“${'x'.repeat(59)}…”`],
  ['', 'a project'],
  ['\u200b\u00ad', 'a project'],
]
for (const [name, shown] of names) {
  test(`the name ${JSON.stringify(name.slice(0, 40))} is shown as ${shown.slice(0, 40)}`, () => {
    assert.equal(quotedName(name, 'a project'), shown)
  })
}

test('an address is shown unchanged unless mail programs would link a part of it', () => {
  for (const address of ['alice@example.org', "o'brien+jobs@b\u00fccher.example", 'a.b_c@x-y.example']) {
    assert.equal(quotedAddress(address), address)
  }
  assert.equal(quotedAddress('evil.example/login@x.example'), '“evil_example/login_x_example”')
  assert.equal(quotedAddress('www.evil.example@x.example'), '“www_evil_example_x_example”')
})

test('an address of more than 60 characters is cut and quoted', () => {
  const address = `your-account-ends-today-unless-you-call-0900-123456-at-once@evil.example`
  assert.equal(quotedAddress(address), '“your-account-ends-today-unless-you-call-0900-123456-at-once…”')
})
