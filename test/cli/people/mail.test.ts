import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { bounceToken } from '../../../src/lib/mail/bounce-token.js'
import { freshInstallation, serving } from '../../_support/cli.js'

const SECRET_KEY = 'a secret of at least thirty-two characters'

test('the built program parses e-mails', async t => {
  const { url, output } = await serving(
    t,
    await freshInstallation(t, {
      SECRET_KEY,
      EMAIL_HOST: '127.0.0.1',
      EMAIL_MAIL_FROM_TMPL: '%s@bounces.example.org',
    }),
  )
  // Only an e-mail with a good token is read.
  const token = bounceToken(SECRET_KEY, `n.${randomUUID()}`, Date.now())
  const body = `To: ${token}@bounces.example.org\r\nSubject: Undelivered\r\n\r\nStatus: 5.1.1\r\n`
  const answer = await fetch(`${url}/api/v3/bounces/`, { method: 'POST', body })
  assert.equal(await answer.text(), 'OK (notification not found)')
  assert.doesNotMatch(output.stderr, /Cannot find module/)
})
