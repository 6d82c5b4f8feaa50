import { Refusal } from '../../core/errors.js'
import { isCommonPassword } from '../../core/people/common-password.js'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../core/people/password-rules.js'
import { isListedPassword } from '../../lib/secrets/common-passwords.js'
import { hashPassword } from '../../lib/secrets/password.js'

/**
 * The hash of a new password of the person with the address `email`. Throws a `Refusal` if it is too short, too long,
 * or easy to guess. Source: NIST SP 800-63B, section 3.1.1.2.
 */
export async function hashNewPassword(password: string, email: string): Promise<string> {
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
  if (isCommonPassword(password) || (await isListed(password))) {
    throw new Refusal('invalid', 'this password is too easy to guess: choose another one', 'password')
  }
  if (isAddress(password, email)) {
    throw new Refusal('invalid', 'the password must not be your e-mail address', 'password')
  }
  return await hashPassword(password)
}

/** Whether the password is on the list of common ones, with or without marks at its end. */
async function isListed(password: string): Promise<boolean> {
  const typed = password.trim()
  const bare = typed.replace(/[!.?*#_-]{1,3}$/, '')
  return (await isListedPassword(typed)) || (await isListedPassword(bare))
}

/** Whether the password is the address, or the part of it before the @. */
function isAddress(password: string, email: string): boolean {
  const [typed, address] = [password.trim().toLowerCase(), email.trim().toLowerCase()]
  return typed === address || typed === address.split('@')[0]
}
