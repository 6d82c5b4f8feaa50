import { Refusal } from '../core/errors.js'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../core/password-rules.js'
import { hashPassword } from '../lib/password.js'

/** What is stored of a password that somebody chose. Throws a `Refusal` for one that is too short or too long. */
export async function hashNewPassword(password: string): Promise<string> {
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH) {
    throw new Refusal(
      'invalid',
      `the password must have at least ${PASSWORD_MIN_LENGTH} characters`,
      'password',
    )
  }
  if (length > PASSWORD_MAX_LENGTH) {
    throw new Refusal(
      'invalid',
      `the password may have at most ${PASSWORD_MAX_LENGTH} characters`,
      'password',
    )
  }
  return await hashPassword(password)
}
