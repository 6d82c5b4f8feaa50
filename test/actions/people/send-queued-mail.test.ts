import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sendQueuedMail } from '../../../src/actions/people/mail/send-queued-mail.js'
import { MailSettlements } from '../../../src/actions/people/mail/settle-mail.js'
import { MailError } from '../../../src/lib/mail/mail-error.js'
import type { SettledMail } from '../../../src/storage/people/settle-mails.js'
import { claimMails } from '../../_support/claim-mails.js'
import { eventually } from '../../_support/eventually.js'
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
    const [stop, cutOff] = [new AbortController(), new AbortController()]
    const ended: unknown[] = []
    const attempt = { handedOver() {}, end: (sent: boolean | null) => void ended.push(sent) }
    const signals = { stop: stop.signal, cutOff: cutOff.signal }
    const sending = sendQueuedMail({ ...deps, settle: store.people.settleMail }, mail!, signals, attempt)
    if (reason) cutOff.abort(reason)
    else stop.abort()
    await sending
    assert.deepEqual(ended, [result])
    assert.deepEqual(opened.outcomes, outcomes)
    const again = await store.people.dueMails({ now: now + 1_000, after: null, limit: 9 })
    assert.equal(again.length, result === null ? 0 : 1)
  })
}

/** A claimed e-mail to a domain, and a store that cannot settle it `times` times, because of `code`. */
async function openLocked(t: TestContext, { code = 'SQLITE_BUSY', times = 2, domain = 'example.org' } = {}) {
  const { deps, clock, queue, ...opened } = await openNotices(t, { 'refuses.example': 'refuses' })
  await queue(`alice@${domain}`)
  const now = clock.now()
  const [mail] = await claimMails(deps.store, { worker: 'me', now, leaseUntil: now + 1_000 })
  const { people } = deps.store
  const tried: unknown[] = []
  const errors: unknown[] = []
  const settleMail: typeof people.settleMail = async settled => {
    tried.push(settled.outcome)
    if (tried.length <= times) throw Object.assign(new Error('locked'), { code })
    return await people.settleMail(settled)
  }
  const stop = new AbortController()
  const onError = (error: unknown) => void errors.push(error)
  const { noteMailsWork } = people
  const settling = { store: { people: { settleMail, noteMailsWork } }, onError, onSetAside: deps.onSetAside }
  const settlements = new MailSettlements(settling, stop.signal)
  const locked = { ...deps, settle: (one: SettledMail) => settlements.settle(mail!.id, one), onError }
  const signals = { stop: stop.signal, cutOff: new AbortController().signal }
  const send = () => sendQueuedMail(locked, mail!, signals, { handedOver() {}, end() {} })
  const claimants = () => people.mailClaimants()
  return { ...opened, send, stop, tried, errors, claimants }
}

for (const domain of ['example.org', 'refuses.example']) {
  test(`an e-mail to ${domain} is settled when the database is not locked any more`, async t => {
    const { send, tried, errors, begun, outcomes, claimants } = await openLocked(t, { domain })
    await send()
    assert.equal(tried.length, 3)
    assert.equal(new Set(tried.map(outcome => JSON.stringify(outcome))).size, 1)
    assert.equal(errors.length, 2)
    assert.equal(begun.length, 1)
    assert.equal(outcomes.length, 1)
    assert.deepEqual(await claimants(), [])
  })
}

test('an e-mail that cannot be settled is tried until the process stops', async t => {
  const { send, stop, tried, claimants } = await openLocked(t, { times: 99 })
  const failed = assert.rejects(send(), /locked/)
  await eventually(() => tried.length === 2)
  stop.abort()
  await failed
  assert.equal(tried.length, 3)
  assert.deepEqual(await claimants(), ['me'])
})

test('an e-mail is not settled again after an error that waiting does not mend', async t => {
  const { send, tried } = await openLocked(t, { code: 'SQLITE_READONLY' })
  await assert.rejects(send(), /locked/)
  assert.equal(tried.length, 1)
})
