import type { RemovedSecondStep } from '../../storage/people/recovery-codes.js'
import type { StoreWith } from '../../storage/store.js'
import { findUserByAddress } from './find-user.js'

/**
 * Lets somebody who has lost every second step sign in with the first one alone. Throws `Refusal('not-found')` where
 * nobody has this address.
 */
export async function removeSecondStep(
  store: StoreWith<'people.findUser' | 'people.removeSecondStep'>,
  email: string,
): Promise<RemovedSecondStep> {
  const user = await findUserByAddress(store, email)
  return await store.people.removeSecondStep(user.id)
}
