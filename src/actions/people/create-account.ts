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
  /** Whether e-mail goes out: then a new account is told by e-mail from the start. */
  hasMailer: boolean
}

export interface AccountRequest {
  email: string
  /** Null for an account that is entered without a password. */
  passwordHash: string | null
  /** Whether it is proven that the person reads the mail of the address, by the rule of prove-address.ts. */
  emailProven: boolean
  /** Of the browser; ignored where it is no zone. */
  timezone?: string | undefined
}

/**
 * Makes an account with a project, a check, and alerts to its address. Throws a `Refusal` for a bad or taken
 * address. Source: docs/behaviour.md, section 9.6.
 */
export async function createAccount(deps: AccountDeps, request: AccountRequest): Promise<Account> {
  const user = newUser(deps.clock, request)
  const starter = { project: starterProject(newPingKey(), user.now), check: STARTER_CHECK }
  return await deps.store.people.createAccount(user, { ...starter, channel: firstChannel(deps, user) })
}

/** Makes the first account, by the token in the link that `serve` printed. It adopts the default project. */
export async function createFirstAccount(
  deps: AccountDeps,
  token: string,
  request: AccountRequest,
): Promise<Account> {
  const user = newUser(deps.clock, request)
  return await deps.store.people.createFirstAccount(digestOf(token), user, firstChannel(deps, user))
}

/** The user that an account is made for. Throws a `Refusal` for a bad address. */
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

/** Alerts go to the address from the start, where it is proven; null where not. */
function firstChannel({ hasMailer }: AccountDeps, user: NewUser): FirstChannel | null {
  if (!hasMailer || !user.emailProven) return null
  const settings = checkSettings(email, { value: user.email })
  return { kind: email.kind, name: '', settings, members: [] }
}
