import type { Store } from '../storage/store.js'
import { hashNewPassword } from './hash-new-password.js'

/** Sets a password and ends the person's other sessions. Throws a `Refusal` for a bad one. */
export async function changePassword(
  store: Pick<Store, 'setPassword'>,
  user: { id: number; email: string },
  { password, keepSession }: { password: string; keepSession: number },
): Promise<void> {
  const passwordHash = await hashNewPassword(password, user.email)
  await store.setPassword({ userId: user.id, passwordHash, keepSession })
}
