/** Limits on attempts to sign in and on e-mails that people cause. Source: docs/behaviour.md, section 11. */

import { Refusal } from '../../../core/errors.js'
import { mailboxSpelling, sameMailbox } from '../../../core/people/email-address.js'
import { periodWords } from '../../../core/time/duration.js'
import type { Clock } from '../../../lib/clock.js'
import { clientNetwork } from '../../../lib/http/client-address.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { RateLimit } from '../../../storage/people/rate-limits.js'
import type { StoreWith } from '../../../storage/store.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What is counted, and the limits. */
const LIMITS = {
  /** Wrong passwords, from one network. */
  signIn: { capacity: 20, periodMs: HOUR_MS },
  /** Sign-in links requested from one network. */
  link: { capacity: 20, periodMs: HOUR_MS },
  /**
   * Sign-in links for one account (see {@link accountKey}) requested from one network, so that strangers can use up
   * only a little of the account's limit.
   */
  linkTo: { capacity: 10, periodMs: HOUR_MS },
  /** Sign-in links mailed for one account, no matter who requested them. */
  linksTo: { capacity: 50, periodMs: HOUR_MS },
  /** Accounts created or requested from one network. */
  signUp: { capacity: 20, periodMs: HOUR_MS },
  /** Sign-up links mailed to one address. */
  signUpLink: { capacity: 10, periodMs: HOUR_MS },
  /** Sign-up links mailed to one mailbox: this many to its addresses with a tag, and as many to those without. */
  signUpLinks: { capacity: 50, periodMs: HOUR_MS },
  /** Links to accept one invitation, mailed to one address. */
  proofLink: { capacity: 10, periodMs: HOUR_MS },
  /** Links to accept invitations, mailed to one mailbox; counted like sign-up links. */
  proofLinks: { capacity: 50, periodMs: HOUR_MS },
  /** E-mails that others cause to one mailbox: invitations, requests to confirm. Nobody waits for them to sign in. */
  mail: { capacity: 10, periodMs: HOUR_MS },
  /** Links to confirm a new address, sent for one person. */
  addressChange: { capacity: 20, periodMs: DAY_MS },
  /** Passwords tried for one account. */
  password: { capacity: 20, periodMs: DAY_MS },
  /** Wrong passwords for one account from one browser in which the account was signed in to before. */
  device: { capacity: 20, periodMs: DAY_MS },
  /** Wrong passwords of one signed-in person. */
  proof: { capacity: 20, periodMs: HOUR_MS },
  /** Codes of an app tried for one account. Passkeys cannot be guessed and have no limit. */
  code: { capacity: 96, periodMs: DAY_MS },
  /** Recovery codes tried for one account. Wrong codes of an app do not count here. */
  recoveryCode: { capacity: 96, periodMs: DAY_MS },
  /** Invitations sent by one person. */
  invitation: { capacity: 20, periodMs: DAY_MS },
  /** Projects that one person offers to another. */
  offer: { capacity: 10, periodMs: HOUR_MS },
  /** E-mails to one person about offered projects, whoever offers them. */
  offerMail: { capacity: 50, periodMs: HOUR_MS },
  /** Tests of one channel that one person sends. */
  test: { capacity: 20, periodMs: HOUR_MS },
  /** Tests that one person sends. */
  tests: { capacity: 100, periodMs: HOUR_MS },
  /** Codes sent to recipients of alerts for one person. */
  confirmation: { capacity: 50, periodMs: DAY_MS },
  /** Codes sent to one recipient, no matter who requested them. */
  recipient: { capacity: 5, periodMs: HOUR_MS },
  /** Incidents acknowledged through links in messages, from one network. */
  acknowledge: { capacity: 100, periodMs: HOUR_MS },
  /** Codes of recipients tried by one person. */
  guess: { capacity: 20, periodMs: HOUR_MS },
} as const

/**
 * The key by which attempts at an account are counted: its ID or, if there is no account, the address as accounts
 * store it. So nobody can use up another account's attempts with a similar address, and both cases answer alike.
 * Typed text is never taken for an ID. Text that is not an address (`known` is null) names no account: it is
 * counted only for the network.
 */
export function accountKey(user: { id: number } | null, known: string | null): string | null {
  if (user) return `user ${user.id}`
  return known === null ? null : `address ${known}`
}

/** For each limit, the subject that is counted, or null for none; the mailbox of an address is derived here. */
export type Attempt = { [K in keyof typeof LIMITS]?: string | null }

/** Counts an attempt and returns whether it is within its limits; if it is not, nothing is counted. */
export async function isWithinLimits(
  store: StoreWith<'people.takeFromLimits'>,
  clock: Clock,
  attempt: Attempt,
): Promise<boolean> {
  return (await store.people.takeFromLimits(limitsOf(attempt), clock.now())) === 0
}

/** Counts an attempt. If a limit is reached, counts nothing and throws `Refusal('too-many')`. */
export async function limitAttempts(
  store: StoreWith<'people.takeFromLimits'>,
  clock: Clock,
  attempt: Attempt,
): Promise<void> {
  const waitMs = await store.people.takeFromLimits(limitsOf(attempt), clock.now())
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000)
    throw new Refusal('too-many', `too many attempts: try again in ${periodWords(minutes * 60)}`)
  }
}

/** Takes back one counted attempt. Many people may sign in from one address; only failures should count. */
export async function uncountAttempt(
  store: StoreWith<'people.giveBackToLimits'>,
  attempt: Attempt,
): Promise<void> {
  await store.people.giveBackToLimits(limitsOf(attempt))
}

/** Resets the counts of these kinds, after a successful attempt. */
export async function resetAttempts(store: StoreWith<'people.resetLimits'>, attempt: Attempt): Promise<void> {
  await store.people.resetLimits(limitsOf(attempt).map(({ key }) => key))
}

/** The keys are digests, so that the table does not reveal who tried. */
function limitsOf(attempt: Attempt): RateLimit[] {
  const counted = Object.entries(attempt) as [keyof Attempt, string | null][]
  return counted.flatMap(([kind, value]) =>
    value === null ? [] : [{ key: `${kind}:${digestOf(subject(kind, value))}`, ...LIMITS[kind] }],
  )
}

/** The limits that count for a network. */
const BY_NETWORK: readonly string[] = ['signIn', 'link', 'signUp', 'acknowledge']

function subject(kind: keyof Attempt, value: string): string {
  if (kind === 'linkTo') {
    const [account = '', network = ''] = value.split('\n')
    return `${account} ${clientNetwork(network)}`
  }
  if (BY_NETWORK.includes(kind)) return clientNetwork(value)
  if (kind === 'signUpLinks' || kind === 'proofLinks') return mailboxSpelling(value)
  return kind === 'mail' ? sameMailbox(value) : value
}
