import type { SafeFetch } from '../../lib/http/safe-fetch.js'
import { canaryPath, isCanaryAnswer } from '../../lib/secrets/canary-path.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { newToken } from '../../lib/secrets/secrets.js'

/**
 * Requests `pingEndpoint` once, with a path that only the ping route of this installation can answer. Resolves with
 * null, or with the reason of the failure.
 */
export async function requestCanary(
  fetch: SafeFetch,
  pingEndpoint: string,
  secretKeys: SecretKeys,
  signal?: AbortSignal,
): Promise<string | null> {
  const nonce = newToken()
  const request = {
    method: 'GET',
    url: pingEndpoint + canaryPath(secretKeys[0]!, nonce),
    // The operator configured it, so it may be a private address.
    trustedOrigin: new URL(pingEndpoint).origin,
    keepBytes: 200,
  } as const
  try {
    const { status, body } = await fetch(request, signal)
    if (status !== 200) return `it was answered ${status}`
    return isCanaryAnswer(secretKeys, nonce, body) ? null : 'the answer was not that of this installation'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
