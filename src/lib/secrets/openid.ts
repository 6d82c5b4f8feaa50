/** Sign-in through an OpenID Connect provider: authorization code with PKCE. The library is loaded on first use. */
import type { Configuration } from 'openid-client'
import { openIdErrorOf } from './openid-error.js'
import { fetchFromProvider } from './openid-fetch.js'

export interface OpenIdSettings {
  issuer: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  /** Where the provider sends people back to. */
  redirectUri: string
}

/** The state to keep between sending a user to the provider and their return. */
export interface OpenIdAttempt {
  verifier: string
  state: string
  nonce: string
}

/** A user's identity at the provider. */
export interface OpenIdPerson {
  issuer: string
  subject: string
  /** Null if the provider returns none. */
  email: string | null
  emailVerified: boolean
}

/** Provider configurations by settings. Discovery is retried after a failure. */
const discovered = new Map<string, Promise<Configuration>>()

/** The address to send a user to for signing in. Rejects with `OpenIdError` if the provider cannot be reached. */
export async function openIdAddress(
  settings: OpenIdSettings,
): Promise<{ url: string; attempt: OpenIdAttempt }> {
  const client = await import('openid-client')
  const configuration = await configurationOf(settings)
  const attempt = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
  }
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: settings.redirectUri,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    state: attempt.state,
    nonce: attempt.nonce,
  })
  return { url: url.href, attempt }
}

/**
 * The identity of a user who returned from the provider with `query`. Rejects with `OpenIdError` if the response is invalid,
 * expired or belongs to another attempt.
 */
export async function openIdPerson(
  settings: OpenIdSettings,
  query: string,
  attempt: OpenIdAttempt,
): Promise<OpenIdPerson> {
  const client = await import('openid-client')
  const configuration = await configurationOf(settings)
  const code = new URLSearchParams(query).get('code') ?? ''
  const { state, nonce, verifier } = attempt
  const tokens = await client
    .authorizationCodeGrant(configuration, new URL(settings.redirectUri + query), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    .catch(error => {
      throw openIdErrorOf(error, [code, settings.clientSecret, state, nonce, verifier])
    })
  const claims = tokens.claims()!
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof claims.email === 'string' ? claims.email : null,
    emailVerified: claims.email_verified === true,
  }
}

function configurationOf(settings: OpenIdSettings): Promise<Configuration> {
  const key = JSON.stringify(settings)
  let found = discovered.get(key)
  if (!found) {
    found = discover(settings)
    discovered.set(key, found)
    found.catch(() => discovered.delete(key))
  }
  return found
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const client = await import('openid-client')
  const url = new URL(issuer)
  const http = url.protocol === 'http:'
  const authentication = clientSecret === '' ? client.None() : client.ClientSecretPost(clientSecret)
  const options = {
    // The provider may be in the operator's own network, without TLS, so ID token signatures are verified.
    execute: [client.enableNonRepudiationChecks, ...(http ? [client.allowInsecureRequests] : [])],
    [client.customFetch]: fetchFromProvider,
  }
  return await client.discovery(url, clientId, undefined, authentication, options).catch(error => {
    throw openIdErrorOf(error, [clientSecret])
  })
}
