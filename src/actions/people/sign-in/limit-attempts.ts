/** How often people may try. Source: docs/behaviour.md, section 11. */

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

/** What is counted, and how much of it is too much. */
const LIMITS = {
  /** Wrong passwords, from one network. */
  signIn: { capacity: 20, periodMs: HOUR_MS },
  /** Links to sign in that are asked for, from one network. */
  link: { capacity: 20, periodMs: HOUR_MS },
  /** Links to sign in to one account (as {@link accountKey} names it), from one network, so that strangers use up little of what the account has. */
  linkTo: { capacity: 10, periodMs: HOUR_MS },
  /** Links to sign in to one account that are mailed, whoever asks. */
  linksTo: { capacity: 50, periodMs: HOUR_MS },
  /** Accounts that are made or asked for, from one network. */
  signUp: { capacity: 20, periodMs: HOUR_MS },
  /** Links to sign up that one address is mailed. */
  signUpLink: { capacity: 10, periodMs: HOUR_MS },
  /** Links to sign up that one mailbox is mailed to its addresses with a tag, and so many to those without one. */
  signUpLinks: { capacity: 50, periodMs: HOUR_MS },
  /** Links that one address is mailed by which one invitation is taken. */
  proofLink: { capacity: 10, periodMs: HOUR_MS },
  /** Links by which invitations are taken that one mailbox is mailed, counted as those to sign up. */
  proofLinks: { capacity: 50, periodMs: HOUR_MS },
  /** What others have sent to one mailbox: invitations, requests to confirm. It is no way in that somebody waits for. */
  mail: { capacity: 10, periodMs: HOUR_MS },
  /** Links to new addresses that one person has sent. */
  addressChange: { capacity: 20, periodMs: DAY_MS },
  /** Passwords tried for one account. */
  password: { capacity: 20, periodMs: DAY_MS },
  /** Wrong passwords for one account, from one browser in which it was entered before. */
  device: { capacity: 20, periodMs: DAY_MS },
  /** Wrong passwords of one person who is signed in. */
  proof: { capacity: 20, periodMs: HOUR_MS },
  /** Codes of an app tried for one account. Passkeys cannot be guessed and have no limit. */
  code: { capacity: 96, periodMs: DAY_MS },
  /** Recovery codes tried for one account: wrong codes of an app leave them. */
  recoveryCode: { capacity: 96, periodMs: DAY_MS },
  /** Invitations sent by one person. */
  invitation: { capacity: 20, periodMs: DAY_MS },
  /** Offers of a project that one person is told of. */
  offer: { capacity: 10, periodMs: HOUR_MS },
  /** Tests of one channel that one person sends. */
  test: { capacity: 20, periodMs: HOUR_MS },
  /** Tests that one person sends. */
  tests: { capacity: 100, periodMs: HOUR_MS },
  /** Codes that one person has sent to recipients of alerts. */
  confirmation: { capacity: 50, periodMs: DAY_MS },
  /** Codes that one recipient is sent at anybody's wish. */
  recipient: { capacity: 5, periodMs: HOUR_MS },
  /** Codes of recipients that one person tries. */
  guess: { capacity: 20, periodMs: HOUR_MS },
} as const

/**
 * What attempts at an account are counted by: its number or, where there is none, the address as accounts keep it. So nobody
 * uses up the attempts of another account by an address that looks like its own, and both answer alike. What is typed is never
 * taken for a number, and text that is not an address (`known` null) names no account: it is counted for the network alone.
 */
export function accountKey(user: { id: number } | null, known: string | null): string | null {
  if (user) return `user ${user.id}`
  return known === null ? null : `address ${known}`
}

/** Of each kind that is counted, what counts as the same, null for nothing; the mailbox of an address is found here. */
export type Attempt = { [K in keyof typeof LIMITS]?: string | null }

/** Counts an attempt and says whether it is within its limits; one that is not counts nothing. */
export async function isWithinLimits(
  store: StoreWith<'people.takeFromLimits'>,
  clock: Clock,
  attempt: Attempt,
): Promise<boolean> {
  return (await store.people.takeFromLimits(limitsOf(attempt), clock.now())) === 0
}

/** Counts an attempt; throws `Refusal('too-many')`, and counts nothing, where one of its limits is reached. */
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

/** Uncounts one attempt: many people may sign in from one address, and only those who cannot are held up. */
export async function uncountAttempt(
  store: StoreWith<'people.giveBackToLimits'>,
  attempt: Attempt,
): Promise<void> {
  await store.people.giveBackToLimits(limitsOf(attempt))
}

/** Forgets the attempts of these kinds: the last one was right. */
export async function forgiveAttempts(
  store: StoreWith<'people.resetLimits'>,
  attempt: Attempt,
): Promise<void> {
  await store.people.resetLimits(limitsOf(attempt).map(({ key }) => key))
}

/** The keys are digests, so that the table tells nothing of who tried. */
function limitsOf(attempt: Attempt): RateLimit[] {
  const counted = Object.entries(attempt) as [keyof Attempt, string | null][]
  return counted.flatMap(([kind, value]) =>
    value === null ? [] : [{ key: `${kind}:${digestOf(subject(kind, value))}`, ...LIMITS[kind] }],
  )
}

function subject(kind: keyof Attempt, value: string): string {
  if (kind === 'linkTo') {
    const [account = '', network = ''] = value.split('\n')
    return `${account} ${clientNetwork(network)}`
  }
  if (kind === 'signIn' || kind === 'link' || kind === 'signUp') return clientNetwork(value)
  if (kind === 'signUpLinks' || kind === 'proofLinks') return mailboxSpelling(value)
  return kind === 'mail' ? sameMailbox(value) : value
}
