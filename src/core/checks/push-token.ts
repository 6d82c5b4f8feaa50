/** The tokens of push addresses, by which checks are known to clients of another monitor. Decision 0136. */
import { Refusal } from '../errors.js'
import { isUuid } from '../text/uuid.js'

/** The most tokens of one check. */
export const MOST_PUSH_TOKENS = 20

const TOKEN = /^[-_a-zA-Z0-9]{8,100}$/

/** Whether a text can be a push token. A UUID cannot: it is the address of the check that has it. */
export function isPushToken(text: string): boolean {
  return TOKEN.test(text) && !isUuid(text)
}

/** What a push token is, as refusals say it. */
export const PUSH_TOKEN_FORMAT = 'a push token has 8 to 100 letters, digits, - and _, and is no UUID'

/** Throws a `Refusal` if a check cannot have these tokens. */
export function assertPushTokens(tokens: readonly string[]): void {
  if (tokens.length > MOST_PUSH_TOKENS) {
    throw new Refusal('invalid', `a check has at most ${MOST_PUSH_TOKENS} push tokens`, 'tokens')
  }
  if (!tokens.every(isPushToken)) {
    throw new Refusal('invalid', PUSH_TOKEN_FORMAT, 'tokens')
  }
}
