/**
 * Verifies the password hashes of Healthchecks, which are Django's. Sources: Django, contrib/auth/hashers.py; RFC 9106;
 * RFC 8018.
 */
import * as crypto from 'node:crypto'

const PBKDF2 = /^pbkdf2_sha256\$(\d{1,8})\$([^$]+)\$([\w+/]+={0,2})$/
const ARGON2 = /^argon2\$(argon2(?:id|i|d))\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

type Argon2Kind = 'argon2id' | 'argon2i' | 'argon2d'

interface Argon2Input {
  message: Buffer
  nonce: Buffer
  /** In KiB. */
  memory: number
  passes: number
  parallelism: number
  tagLength: number
}

/** Absent from Node.js before 24.7, and from the types of the oldest version that we support. */
type Argon2 = (kind: Argon2Kind, input: Argon2Input, done: (error: Error | null, key: Buffer) => void) => void

/** One hash needs as much as 100 MiB, so they are computed one after the other. */
let last: Promise<unknown> = Promise.resolve()

/** Whether `stored` is a hash of Django that {@link verifyDjangoPassword} can verify. */
export function isDjangoHash(stored: string): boolean {
  return PBKDF2.test(stored) || ARGON2.test(stored)
}

/** Whether `password` matches the hash `stored` of Django; false if `stored` is not such a hash. */
export async function verifyDjangoPassword(password: string, stored: string): Promise<boolean> {
  const pbkdf2 = PBKDF2.exec(stored)
  if (pbkdf2) return await verifyPbkdf2(password, pbkdf2 as unknown as [string, string, string, string])
  const argon2 = ARGON2.exec(stored)
  if (!argon2) return false
  const [memory, passes, parallelism] = argon2.slice(2, 5).map(Number) as [number, number, number]
  const expected = Buffer.from(argon2[6]!, 'base64')
  const turn = last.then(() =>
    deriveArgon2(argon2[1] as Argon2Kind, {
      message: Buffer.from(password),
      nonce: Buffer.from(argon2[5]!, 'base64'),
      memory,
      passes,
      parallelism,
      tagLength: expected.length,
    }),
  )
  last = turn.catch(() => {})
  return crypto.timingSafeEqual(await turn, expected)
}

async function verifyPbkdf2(
  password: string,
  [, iterations, salt, hash]: [string, string, string, string],
): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64')
  const derived = await new Promise<Buffer>((resolve, reject) =>
    crypto.pbkdf2(password, salt, Number(iterations), expected.length, 'sha256', (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
  return crypto.timingSafeEqual(derived, expected)
}

/** By Node.js, which has Argon2 from 24.7 on, else by a library that gives way to other work every few milliseconds. */
async function deriveArgon2(kind: Argon2Kind, input: Argon2Input): Promise<Buffer> {
  const { argon2: native } = crypto as { argon2?: Argon2 }
  if (native) {
    return await new Promise((resolve, reject) =>
      native(kind, input, (error, key) => (error ? reject(error) : resolve(key))),
    )
  }
  const library = await import('@noble/hashes/argon2.js')
  const derive = {
    argon2id: library.argon2idAsync,
    argon2i: library.argon2iAsync,
    argon2d: library.argon2dAsync,
  }
  const { message, nonce, memory: m, passes: t, parallelism: p, tagLength: dkLen } = input
  return Buffer.from(await derive[kind](message, nonce, { t, m, p, dkLen, asyncTick: 5 }))
}
