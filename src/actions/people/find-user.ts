import { Refusal } from '../../core/errors.js'
import { emailAddress } from '../../core/people/email-address.js'
import type { User } from '../../storage/people/users.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * The user whom the operator names by address. Throws `Refusal('invalid')` for what is no address, and
 * `Refusal('not-found')` where nobody has it.
 */
export async function findUserByAddress(store: StoreWith<'people.findUser'>, email: string): Promise<User> {
  const address = emailAddress(email)
  const user = await store.people.findUser(address)
  if (!user) throw new Refusal('not-found', `there is no user with the address ${address}`)
  return user
}
