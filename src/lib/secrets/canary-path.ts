import type { SecretKeys } from './secret-key.js'
import { isSignature, signatureOf } from './signing.js'

/** No ping URL has a dot. */
const PATH = /^canary\/([-\w]{20,64})\.([-\w]{22})$/

/** The path, after the ping endpoint, that a canary requests. `nonce` is of one request, so that no old answer fits. */
export function canaryPath(secretKey: string, nonce: string): string {
  return `canary/${nonce}.${signatureOf(secretKey, 'canary', nonce)}`
}

/** The answer to a canary's path, which only an installation with the same key can give; null for any other path. */
export function canaryAnswer(secretKeys: SecretKeys, path: string): string | null {
  const [, nonce, signature] = PATH.exec(path) ?? []
  if (nonce === undefined || !isSignature(secretKeys, 'canary', nonce, signature!)) return null
  return signatureOf(secretKeys[0]!, 'canary answer', nonce)
}

/** Whether `answer` is the answer to the request with this nonce. */
export function isCanaryAnswer(secretKeys: SecretKeys, nonce: string, answer: string): boolean {
  return isSignature(secretKeys, 'canary answer', nonce, answer)
}
