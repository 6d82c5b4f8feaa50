/**
 * API tokens: `pun_`, 30 random letters and digits, and a checksum of 6, so that programs that look for leaked secrets
 * recognise them without asking anyone. The checksum is GitHub's: CRC-32 of what precedes it, in base 62. Source:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'pun_'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** The first characters of a token that are stored, so that people can tell tokens apart. */
export const TOKEN_HINT_LENGTH = PREFIX.length + 6

/** A new API token. Shown once; only its digest is stored. */
export function newApiToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  return PREFIX + random + checksumOf(PREFIX + random)
}

/** Whether `text` is an API token, by its shape and checksum. */
export function isApiToken(text: string): boolean {
  return SHAPE.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let count = 0; count < CHECKSUM_LENGTH; count++) {
    checksum = BASE62[rest % BASE62.length] + checksum
    rest = Math.floor(rest / BASE62.length)
  }
  return checksum
}
