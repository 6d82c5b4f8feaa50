import { emailAddress } from '../../core/people/email-address.js'
import { STARTER_CHECK, starterProject } from '../../core/projects/starter.js'
import { canonicalZone } from '../../core/schedule/index.js'
import { checkSettings } from '../../integrations/fields.js'
import { email } from '../../integrations/kinds/email.js'
import type { Clock } from '../../lib/clock.js'
import { digestOf, newPingKey } from '../../lib/secrets/secrets.js'
import type { Account, FirstChannel } from '../../storage/people/accounts.js'
import type { NewUser } from '../../storage/people/users.js'
import type { Store } from '../../storage/store.js'

export interface AccountDeps {
  store: Store
  clock: Clock
  /** Whether e-mail can be sent: then a new account gets an e-mail channel. */
  hasMailer: boolean
}

export interface AccountRequest {
  email: string
  /** Null for an account without a password. */
  passwordHash: string | null
  /** Whether the person has proven that they read the address's mail, by the rule in hand-over-account.ts. */
  emailProven: boolean
  /** The browser's time zone; ignored if it is not a known zone. */
  timezone?: string | undefined
}

/**
 * Creates an account with a project, a check, and an e-mail channel. Throws a `Refusal` for an invalid or taken
 * address. Source: docs/behaviour.md, section 9.6.
 */
export async function createAccount(deps: AccountDeps, request: AccountRequest): Promise<Account> {
  const user = newUser(deps.clock, request)
  const starter = { project: starterProject(newPingKey(), user.now), check: STARTER_CHECK }
  return await deps.store.people.createAccount(user, { ...starter, channel: firstChannel(deps, user) })
}

/**
 * Creates the first account, with the token in the link that `serve` printed. The account adopts the default project.
 */
export async function createFirstAccount(
  deps: AccountDeps,
  token: string,
  request: AccountRequest,
): Promise<Account> {
  const user = newUser(deps.clock, request)
  return await deps.store.people.createFirstAccount(digestOf(token), user, firstChannel(deps, user))
}

/** The user of a new account. Throws a `Refusal` for an invalid address. */
export function newUser(
  clock: Clock,
  { email: address, passwordHash, emailProven, timezone }: AccountRequest,
): NewUser {
  const zone = timezone === undefined ? null : canonicalZone(timezone)
  return {
    email: emailAddress(address),
    passwordHash,
    emailProven,
    ...(zone === null ? {} : { timezone: zone }),
    now: clock.now(),
  }
}

/** An e-mail channel to the account's address; null if the address is not proven or no e-mail can be sent. */
function firstChannel({ hasMailer }: AccountDeps, user: NewUser): FirstChannel | null {
  if (!hasMailer || !user.emailProven) return null
  const settings = checkSettings(email, { value: user.email })
  return { kind: email.kind, name: '', settings, members: [] }
}
