import { emailAddress } from '../core/email-address.js'
import { Refusal } from '../core/errors.js'
import type { OpenIdPerson } from '../lib/openid.js'
import type { SignInFacts } from '../storage/users.js'
import { type AccountDeps, createAccount } from './create-account.js'

/**
 * The account of somebody whom a provider vouches for: the one they had, the one with their confirmed address, or
 * a new one where anybody may sign up. Throws a `Refusal` where there is none to be had.
 */
export async function signInWithOpenId(
  deps: AccountDeps,
  person: OpenIdPerson,
  mayRegister: boolean,
): Promise<SignInFacts> {
  const { store } = deps
  const known = await store.findByIdentity(person.issuer, person.subject)
  const userId = known?.id ?? (await adopt(deps, person, mayRegister))
  const facts = await store.signInFacts({ id: userId })
  if (!facts) throw new Refusal('not-found', 'the account does not exist any more')
  return facts
}

async function adopt(deps: AccountDeps, person: OpenIdPerson, mayRegister: boolean): Promise<number> {
  const { store } = deps
  if (person.email === null) {
    throw new Refusal('unauthorized', 'the provider does not tell your e-mail address')
  }
  const email = emailAddress(person.email)
  const existing = await store.findUser(email)
  if (existing && !person.emailVerified) {
    throw new Refusal(
      'unauthorized',
      `there is an account with the address ${email}, and the provider does not say that it has confirmed the address`,
    )
  }
  if (!existing && (!mayRegister || !(await store.hasUsers()))) {
    throw new Refusal('unauthorized', `there is no account with the address ${email}, and sign-up is closed`)
  }
  const userId = existing?.id ?? (await createAccount(deps, { email, passwordHash: null })).user.id
  await store.addIdentity({ issuer: person.issuer, subject: person.subject, userId })
  return userId
}
