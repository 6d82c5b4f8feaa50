import { Refusal } from '../../core/errors.js'
import { emailAddress } from '../../core/people/email-address.js'
import type { User } from '../../storage/people/users.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * The user with an address that the operator gives. Throws `Refusal('invalid')` if it is not an address, and
 * `Refusal('not-found')` if no user has it.
 */
export async function findUserByAddress(store: StoreWith<'people.findUser'>, email: string): Promise<User> {
  const address = emailAddress(email)
  const user = await store.people.findUser(address)
  if (!user) throw new Refusal('not-found', `there is no user with the address ${address}`)
  return user
}
