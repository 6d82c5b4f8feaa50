import { Refusal } from '../core/errors.js'
import { hashPassword, PASSWORD_MIN_LENGTH } from '../lib/password.js'

/** So that hashing cannot be made to take long. */
const PASSWORD_MAX_LENGTH = 1_000

/** What is stored of a password that somebody chose. Throws a `Refusal` for one that is too short. */
export async function hashNewPassword(password: string): Promise<string> {
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH) {
    throw new Refusal('invalid', `the password must have at least ${PASSWORD_MIN_LENGTH} characters`)
  }
  if (length > PASSWORD_MAX_LENGTH) {
    throw new Refusal('invalid', `the password may have at most ${PASSWORD_MAX_LENGTH} characters`)
  }
  return await hashPassword(password)
}
