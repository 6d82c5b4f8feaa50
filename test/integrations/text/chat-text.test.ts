import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine } from '../../../src/core/text/clean-text.js'
import {
  chatFacts,
  fence,
  lead,
  outputExcerpt,
  plainAlert,
  quotedHeadline,
} from '../../../src/integrations/text/chat-text.js'
import { anAlert, aPing } from '../../_support/alert.js'
import { FALL, RECOVERY } from '../../_support/worlds/integration-cases.js'

test('a down alert as plain text has all facts in order of importance', () => {
  assert.equal(
    plainAlert(FALL, 'Europe/Riga'),
    `Backup is DOWN, exit status 2.
Down since 13:50 UTC+02:00: the job exited with status 2.

Last ping: Exit status 2, 13:50 UTC+02:00 (10 minutes ago)
Last run: 12 min 5 s
Project: Alpha
Tags: prod, db
Period: 1 day
Total pings: 42
Description: Nightly dump of Alpha

Last ping body:
line 1
fatal: disk full

The following checks are also down:
- Mail queue (last ping: 13:48 UTC+02:00)

https://monitor.example/cloaked/59e5a247000529524ba7e978a9de12ec70ece6b1/`,
  )
})

test('an up alert in plain text has the downtime', () => {
  const text = plainAlert(RECOVERY, 'UTC')
  assert.match(text, /^Backup is UP\.\nUp since 11:50 UTC\. The downtime lasted 1 hour, 30 minutes\.\n/)
  assert.match(text, /\nDescription: Nightly dump of Alpha\n\nAll the other checks are up\.\n/)
})

test('control characters and text direction marks are removed from names', () => {
  assert.equal(oneLine(' a\r\nb\u2028c\td\u0000\u001b[1;31me\u001b[0m\u202ef '), 'a b c d e f')
  const alert = anAlert({ check: { name: 'x\ny', desc: 'one\ntwo' } })
  assert.equal(quotedHeadline(alert), '\u201cx y\u201d is DOWN.')
  assert.equal(chatFacts(alert, 'UTC').at(-1)?.value, 'one two')
})

test('the end of a long output is shown, with a mark where it was cut', () => {
  const excerpt = (body: string, max?: number) =>
    outputExcerpt(anAlert({ lastPing: aPing({ body: Buffer.from(body) }) }), max)
  assert.equal(excerpt('x'.repeat(1000)), 'x'.repeat(1000))
  assert.equal(excerpt(`${'x'.repeat(1000)}\u{1f525}`), `[truncated]\n${'x'.repeat(999)}\u{1f525}`)
  assert.equal(excerpt('\u001b[31mred\u001b[0m\r\nend\n'), 'red\nend')
  assert.equal(excerpt('abc', 2), '[truncated]\nbc')
  assert.equal(excerpt(`${'\u0101'.repeat(3_000_000)}end`, 5), '[truncated]\n\u0101\u0101end')
  assert.equal(excerpt(`${'\n'.repeat(20_000)}end`), '[truncated]\nend')
  assert.equal(outputExcerpt(anAlert({ lastPing: null })), '')
})

test('output is in a code block that it cannot break out of', () => {
  assert.equal(fence('a'), '```\na\n```')
  assert.equal(fence('a ``` b'), '```\na ``\u02cb b\n```')
  assert.equal(fence(''), null)
})

test('the lead has the cause and the notes of an alert', () => {
  const text = lead(anAlert({ test: true, superseded: 1 }), 'UTC')
  assert.equal(
    text,
    'This is a test. There is no such check.\n' +
      'An earlier alert about this check was not delivered; this one replaces it.',
  )
})

test('a long description is cut before it is cleaned', () => {
  const description = chatFacts(anAlert({ check: { desc: `${'x '.repeat(25_000)}` } }), 'UTC').find(
    ({ label }) => label === 'Description',
  )
  assert.equal(description!.value.length, 10_000)
  assert.match(description!.value, /…$/)
})
