import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendQueuedMail } from '../../../src/actions/people/mail/send-queued-mail.js'
import { MailError } from '../../../src/lib/mail/mail-error.js'
import { claimMails } from '../../_support/claim-mails.js'
import { openNotices } from '../../_support/worlds/notices.js'

for (const [name, reason, result, outcomes] of [
  [
    'an e-mail that is cut off has failed, and is tried again',
    new MailError('No answer within 9 s', false, false, null),
    false,
    ['No answer within 9 s'],
  ],
  ['of an e-mail that a shutdown aborts nothing is settled', undefined, null, []],
] as const) {
  test(name, async t => {
    const opened = await openNotices(t, { 'slow.example': 'hangs' })
    const { store, deps, clock, queue } = opened
    await queue('alice@slow.example')
    const now = clock.now()
    const [mail] = await claimMails(store, { worker: 'me', now, leaseUntil: now + 1_000 })
    const controller = new AbortController()
    const ended: unknown[] = []
    const attempt = { handedOver() {}, end: (sent: boolean | null) => void ended.push(sent) }
    const sending = sendQueuedMail(deps, mail!, controller.signal, attempt)
    controller.abort(reason)
    await sending
    assert.deepEqual(ended, [result])
    assert.deepEqual(opened.outcomes, outcomes)
    const again = await store.people.dueMails({ now: now + 1_000, after: null, limit: 9 })
    assert.equal(again.length, result === null ? 0 : 1)
  })
}
