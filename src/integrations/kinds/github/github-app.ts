/** The operator's GitHub app. Source: GitHub's "Authenticating as a GitHub App". */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { expectOk, retryAfterMs } from '../../http/expect-ok.js'
import { jsonField } from '../../http/json-field.js'
import { DeliveryError } from '../../integration.js'
import type { HttpAnswer, Transports } from '../../transports.js'

export const GITHUB_API = 'https://api.github.com'

/** Allows for clocks that differ. GitHub refuses tokens from the future, and tokens valid for over ten minutes. */
const SKEW_SECONDS = 60
const LIFE_SECONDS = 540

/**
 * A JSON web token that authenticates the app; `now` is in ms. The key is in PEM format and may have `\n` for line
 * breaks. Throws `DeliveryError` if the key is not valid.
 */
export function appToken(clientId: string, privateKey: string, now: number): string {
  const seconds = Math.floor(now / 1000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iat: seconds - SKEW_SECONDS, exp: seconds + LIFE_SECONDS, iss: clientId }
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), keyOf(privateKey)).toString('base64url')}`
}

/** The headers of a request to GitHub's API. */
export function githubHeaders(token: string): Record<string, string> {
  return {
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${token}`,
    'X-GitHub-Api-Version': '2022-11-28',
  }
}

/**
 * A token for an installation of the app, valid for an hour; null if the installation no longer exists. Throws
 * `DeliveryError`.
 */
export async function installationToken(
  transports: Transports,
  app: string,
  installationId: string,
): Promise<string | null> {
  const url = `${GITHUB_API}/app/installations/${installationId}/access_tokens`
  const answer = await transports.http({ method: 'POST', url, headers: githubHeaders(app) })
  if (answer.status === 404) return null
  return jsonField(expectTaken(answer).body, 'token') || null
}

/** Like `expectOk`, but also handles status 403, which GitHub may use for rate limits. */
export function expectTaken(answer: HttpAnswer, options: { permanent?: readonly number[] } = {}): HttpAnswer {
  const wait = answer.status === 403 ? retryAfterMs(answer) : null
  if (wait !== null) throw new DeliveryError('Received status code 403', { retryAfterMs: wait })
  return expectOk(answer, options)
}

function keyOf(privateKey: string): KeyObject {
  try {
    return createPrivateKey(privateKey.replaceAll('\\n', '\n'))
  } catch {
    throw new DeliveryError('GITHUB_PRIVATE_KEY is not a private key in PEM form')
  }
}
