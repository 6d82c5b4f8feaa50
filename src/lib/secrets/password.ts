import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { isDjangoHash, verifyDjangoPassword } from './django-password.js'

/** The cost of a new hash: 32 MiB of memory, three passes. Source: OWASP Password Storage Cheat Sheet. */
const COST = { ln: 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * The hash to store for a password: `$scrypt$ln=…,r=…,p=…$salt$hash`, base64 without padding. It includes the cost, so
 * that old hashes stay valid when the cost is raised. Source: the PHC string format.
 */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, cost, HASH_BYTES)
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(hash)}`
}

/** Whether a stored hash is to be replaced at the next sign-in, because it was imported. */
export const wantsRenewal = isDjangoHash

/** Whether `password` matches the hash `stored`, ours or imported; false if `stored` is not a valid hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/-]+)\$([\w+/-]+)$/.exec(stored)
  if (!parts) return await verifyDjangoPassword(password, stored)
  const [ln, r, p] = parts.slice(1, 4).map(Number) as [number, number, number]
  const expected = Buffer.from(parts[5]!, 'base64')
  const hash = await derive(password, Buffer.from(parts[4]!, 'base64'), { ln, r, p }, expected.length)
  return timingSafeEqual(hash, expected)
}

/** Normalises the password, because systems encode the same typed text differently. */
function derive(password: string, salt: Buffer, cost: typeof COST, length: number): Promise<Buffer> {
  const { ln, r, p } = cost
  const options = { N: 2 ** ln, r, p, maxmem: 2 * 128 * 2 ** ln * r }
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, length, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
