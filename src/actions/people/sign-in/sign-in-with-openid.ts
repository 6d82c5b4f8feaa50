import { Refusal } from '../../../core/errors.js'
import { addressOrNull } from '../../../core/people/email-address.js'
import { newIdentityNotice } from '../../../core/people/security-notices.js'
import { isStorable } from '../../../core/text/storable.js'
import type { OpenIdPerson } from '../../../lib/secrets/openid.js'
import { OpenIdError } from '../../../lib/secrets/openid-error.js'
import type { SignInFacts, User } from '../../../storage/people/users.js'
import type { Store } from '../../../storage/store.js'
import { createAccount } from '../create-account.js'
import { type HandOverDeps, handOverAccount } from '../hand-over-account.js'
import { notifyPerson } from '../mail/notify-person.js'

export type OpenIdDeps = HandOverDeps & {
  store: Store
  /** Whether people without an account may create one. */
  mayRegister: boolean
  /** The name of the provider. */
  provider: string
}

/** More than OpenID Connect allows (255 ASCII characters), and less than an index of PostgreSQL refuses. */
const MOST_SUBJECT_BYTES = 1_000

/**
 * The person who signed in. `handedOver`: the account's other credentials ended because
 * nobody had proven its address.
 */
export interface OpenIdSignIn {
  user: SignInFacts
  handedOver: boolean
}

/**
 * The account of a person whom the provider authenticated: the one they used before, the one with their verified
 * address, or a new one if sign-up is open. Throws a `Refusal` if there is none, and `OpenIdError` if the subject names nobody.
 */
export async function signInWithOpenId(deps: OpenIdDeps, person: OpenIdPerson): Promise<OpenIdSignIn> {
  const { store, clock } = deps
  const { issuer, subject } = person
  if (!isSubject(subject))
    throw new OpenIdError('the subject of the ID token is empty, too long or cannot be stored')
  const known = await store.people.findByIdentity(issuer, subject)
  const { account, adopted } = known ? { account: known, adopted: false } : await accountOf(deps, person)
  const isProven = account.email === verifiedAddress(person)
  const handedOver = isProven && (await handOverAccount(deps, account))
  const user = await store.people.signInFacts({ id: account.id })
  if (!user) throw new Refusal('not-found', 'the account no longer exists')
  // Otherwise the address was changed away before the hand-over, which did nothing, and back since.
  if (isProven && !user.emailProven && !user.disabled) throw changedMeanwhile()
  // A verified address opens the account in its current state. An identity does so only if the account has not
  // changed since.
  const { credentialsVersion } = isProven && user.email === account.email ? user : account
  const email = addressOrNull(person.email ?? '')
  const found = { userId: user.id, accountEmail: account.email, credentialsVersion }
  if (!(await store.people.noteIdentity({ issuer, subject, ...found, email, now: clock.now() }))) {
    throw changedMeanwhile()
  }
  if (adopted && !handedOver) notifyPerson(deps, account.email, newIdentityNotice(deps.site, deps.provider))
  return { user: { ...user, credentialsVersion }, handedOver }
}

/**
 * Whether a subject tells one person from all others in every database: all without one would be the same person, as
 * would those that are stored alike.
 */
function isSubject(text: string): boolean {
  return text.trim() !== '' && Buffer.byteLength(text) <= MOST_SUBJECT_BYTES && isStorable(text)
}

/** The account with the address that the provider has verified, or a new one. */
async function accountOf(
  deps: OpenIdDeps,
  person: OpenIdPerson,
): Promise<{ account: User; adopted: boolean }> {
  const { store, clock, mailer, mayRegister } = deps
  const email = verifiedAddress(person)
  if (email === null) throw withoutAddress(deps, person)
  const existing = await store.people.findUser(email)
  if (existing) return { account: existing, adopted: true }
  if (!mayRegister || !(await store.people.hasUsers())) {
    throw new Refusal('unauthorized', `there is no account with the address ${email}, and sign-up is closed`)
  }
  const request = { email, passwordHash: null, emailProven: true }
  try {
    const { user } = await createAccount({ store, clock, hasMailer: mailer !== null }, request)
    return { account: user, adopted: false }
  } catch (error) {
    // Another tab, or a sign-up with this address, may have been faster.
    const made = error instanceof Refusal ? await store.people.findUser(email) : null
    if (!made) throw error
    return { account: made, adopted: true }
  }
}

function changedMeanwhile(): Refusal {
  return new Refusal('unauthorized', 'the account was changed in the meantime: sign in again')
}

function verifiedAddress({ email, emailVerified }: OpenIdPerson): string | null {
  return emailVerified ? addressOrNull(email ?? '') : null
}

function withoutAddress({ provider }: OpenIdDeps, { email, emailVerified }: OpenIdPerson): Refusal {
  const because = (why: string) => new Refusal('unauthorized', `${provider} ${why}`)
  if (email === null) return because('did not provide your e-mail address')
  if (!emailVerified) return because(`has not verified your address ${email}`)
  return because(`provided the address ${email}, which no account can have`)
}
