import type { RemovedSecondStep } from '../../storage/people/recovery-codes.js'
import type { StoreWith } from '../../storage/store.js'
import { findUserByAddress } from './find-user.js'

/**
 * Removes a user's second steps, so that a person who lost them can sign in with the first alone. Throws
 * `Refusal('not-found')` if no user has this address.
 */
export async function removeSecondStep(
  store: StoreWith<'people.findUser' | 'people.removeSecondStep'>,
  email: string,
): Promise<RemovedSecondStep> {
  const user = await findUserByAddress(store, email)
  return await store.people.removeSecondStep(user.id)
}
