import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesUnknownRecipient, reportsUnknownRecipient } from '../../../src/lib/mail/unknown-recipient.js'

const UNKNOWN = [
  // An enhanced status code, at the start or elsewhere.
  '550 5.1.1 No such user',
  '550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown in local recipient table',
  '550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown in relay recipient table',
  '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
  "550 5.1.1 <bob@example.org> User doesn't exist: bob@example.org",
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the address.',
  '550 sorry, no mailbox here by that name. (#5.1.1)',
  '550 sorry, no mailbox here by that name (#5.1.1 - chkuser)',
  '550 #5.1.0 Address rejected.',
  '550 5.2.1 Mailbox disabled',
  // A text.
  '550 No such user',
  '550 no such user here',
  '550 No such user!',
  '550 No such recipient here',
  '550 Unknown user',
  '550 unknown user <bob@example.org>',
  '550 User unknown',
  '550 <bob@example.org>... User unknown',
  '550 <bob@relay.example.org>, Recipient unknown',
  '550 <bob@example.org> does not exist',
  '550 User bob@example.org does not exist',
  "550 User 'bob' does not exist",
  '550 Unrouteable address',
  '550 Mailbox not found',
  '550 Requested action not taken: mailbox unavailable',
  '550 User not found: bob@example.org',
  '550 Invalid recipient: <bob@example.org>',
  '550 Message was not accepted -- invalid mailbox. Local mailbox bob@example.org is unavailable: user not found',
  '553 sorry, this recipient is not in my validrcptto list',
  "554 delivery error: dd This user doesn't have a example.org account",
  '550 The recipient is not a known user',
]

const OTHERWISE = [
  // Relaying.
  '550 relay not permitted',
  '550 <unknown.user@example.org> relay not permitted',
  '550 5.7.1 relay not permitted',
  "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
  "553 sorry, that domain isn't in my list of allowed rcpthosts; no valid cert for gatewaying",
  '554 5.7.1 <bob@example.org>: Relay access denied',
  '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain',
  '550 5.1.2 <bob@example.org>: we do not relay',
  '551 User not local; please try <bob@example.net>',
  '550 Relaying is not allowed to unknown users',
  '550 Relaying denied for 5.1.1.9',
  '550 This server, version 3.5.1.1, takes no mail now',
  // Sign-in, policy, lists.
  '530 Authentication required',
  '550 Authentication is required for relay',
  '550 Access denied - Invalid HELO name',
  '550 5.4.1 Recipient address rejected: Access denied',
  '550 Administrative prohibition',
  '550 Blocked: 192.0.2.1 is on a blocklist',
  '550 Greylisted, user unknown to us',
  '550 Your account is disabled',
  '554 Blocked',
  '552 5.2.2 Mailbox full',
  '550 Mailbox full',
  '550 5.7.1 User unknown',
  '450 5.1.1 User unknown',
  // The sender, or the name of this host.
  '550 5.1.8 Bad sender',
  '550 5.1.7 Invalid address',
  '550 5.1.0 <a@example.org>: Sender address rejected: User unknown in virtual mailbox table',
  '550-Verification failed for <a@example.org>\n550-Unrouteable address\n550 Sender verify failed',
  '550 <bob@example.org>: Helo command rejected: Host not found',
  '550',
]

for (const [names, replies] of [
  [true, UNKNOWN],
  [false, OTHERWISE],
] as const)
  for (const reply of replies)
    test(`${names ? 'unknown recipient' : 'another refusal'}: ${reply.replace(/\s+/g, ' ').slice(0, 70)}`, () => {
      assert.equal(namesUnknownRecipient(reply), names)
    })

const REPORTS: [status: string, diagnostic: string, isUnknown: boolean][] = [
  ['5.1.1', '550 5.1.1 User unknown', true],
  ['5.1.1', '550-5.1.1 The email account does not exist', true],
  ['5.1.1', '550 rejected', true],
  ['5.1.1', 'x-unix; user unknown', true],
  ['5.1.1', '', true],
  ['5.2.1', '', true],
  ['5.0.0', '550 User unknown', true],
  ['5.0.0', '', false],
  ['5.3.0', '554 delivery error', false],
  ['5.7.1', '550 5.7.1 Relay access denied', false],
  ['5.1.1', '550 5.7.1 Relay access denied', false],
  ['5.1.8', '550 rejected', false],
  ['5.2.2', '552 5.2.2 Mailbox full', false],
  ['5.1.1', '450 4.1.1 try again later', false],
]

for (const [status, diagnostic, isUnknown] of REPORTS)
  test(`a report with ${status} and “${diagnostic}” names ${isUnknown ? 'an unknown' : 'no unknown'} recipient`, () => {
    assert.equal(reportsUnknownRecipient({ status, diagnostic }), isUnknown)
  })
