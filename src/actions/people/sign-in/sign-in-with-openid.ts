import { Refusal } from '../../../core/errors.js'
import { addressOrNull } from '../../../core/people/email-address.js'
import { newIdentityNotice } from '../../../core/people/security-notices.js'
import type { OpenIdPerson } from '../../../lib/secrets/openid.js'
import type { SignInFacts, User } from '../../../storage/people/users.js'
import type { Store } from '../../../storage/store.js'
import { createAccount } from '../create-account.js'
import { notifyPerson } from '../mail/notify-person.js'
import { type HandOverDeps, handOverAccount } from '../prove-address.js'

export type OpenIdDeps = HandOverDeps & {
  store: Store
  /** Whether people who have no account get one. */
  mayRegister: boolean
  /** What the provider is called. */
  provider: string
}

/** Who signed in; `handedOver`: the account had other credentials, which ended since nobody had proven its address. */
export interface OpenIdSignIn {
  user: SignInFacts
  handedOver: boolean
}

/**
 * The account of somebody whom a provider vouches for: the one they had, the one with their verified address, or a new
 * one where anybody may sign up. Throws a `Refusal` where there is none to be had.
 */
export async function signInWithOpenId(deps: OpenIdDeps, person: OpenIdPerson): Promise<OpenIdSignIn> {
  const { store, clock } = deps
  const { issuer, subject } = person
  const known = await store.people.findByIdentity(issuer, subject)
  const { account, adopted } = known ? { account: known, adopted: false } : await accountOf(deps, person)
  const isTheirs = account.email === verifiedAddress(person)
  const handedOver = isTheirs && (await handOverAccount(deps, account))
  const user = await store.people.signInFacts({ id: account.id })
  if (!user) throw new Refusal('not-found', 'the account does not exist any more')
  // The address opens the account as it is now. An identity does so only while it is what it was when it was found.
  const { credentialsVersion } = isTheirs && user.email === account.email ? user : account
  const email = addressOrNull(person.email ?? '')
  const found = { userId: user.id, accountEmail: account.email, credentialsVersion }
  if (!(await store.people.noteIdentity({ issuer, subject, ...found, email, now: clock.now() }))) {
    throw new Refusal('unauthorized', 'the account was changed in the meantime: sign in again')
  }
  if (adopted && !handedOver) notifyPerson(deps, account.email, newIdentityNotice(deps.site, deps.provider))
  return { user: { ...user, credentialsVersion }, handedOver }
}

/** The account with the address that the provider has verified, or a new one. */
async function accountOf(
  deps: OpenIdDeps,
  person: OpenIdPerson,
): Promise<{ account: User; adopted: boolean }> {
  const { store, clock, mailer, mayRegister } = deps
  const email = verifiedAddress(person)
  if (email === null) throw unverified(deps, person)
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
    // Another tab, or somebody who signed up with the address, may have been quicker.
    const made = error instanceof Refusal ? await store.people.findUser(email) : null
    if (!made) throw error
    return { account: made, adopted: true }
  }
}

function verifiedAddress({ email, emailVerified }: OpenIdPerson): string | null {
  return emailVerified ? addressOrNull(email ?? '') : null
}

function unverified({ provider }: OpenIdDeps, { email }: OpenIdPerson): Refusal {
  const why =
    email === null
      ? `${provider} does not tell your e-mail address`
      : `${provider} does not say that it has verified your address ${email}`
  return new Refusal('unauthorized', why)
}
