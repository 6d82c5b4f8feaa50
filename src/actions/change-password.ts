import type { Store } from '../storage/store.js'
import { hashNewPassword } from './hash-new-password.js'

/** Sets a password and ends the person's other sessions. Throws a `Refusal` for a bad one. */
export async function changePassword(
  store: Pick<Store, 'setPassword'>,
  { userId, password, keepSession }: { userId: number; password: string; keepSession: number },
): Promise<void> {
  await store.setPassword({ userId, passwordHash: await hashNewPassword(password), keepSession })
}
