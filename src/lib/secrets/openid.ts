/** Signing in at an OpenID Connect provider: authorization code with PKCE. The library is loaded when it is used. */
import type { Configuration } from 'openid-client'

export interface OpenIdSettings {
  issuer: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  /** Where the provider sends people back to. */
  redirectUri: string
}

/** What has to be remembered between going to the provider and coming back. */
export interface OpenIdRound {
  verifier: string
  state: string
  nonce: string
}

/** Who somebody is at the provider. */
export interface OpenIdPerson {
  issuer: string
  subject: string
  /** Null where the provider tells none. */
  email: string | null
  emailVerified: boolean
}

/** What a provider says of itself, by issuer; asked once, and again after a failure. */
const discovered = new Map<string, Promise<Configuration>>()

/** Where to send somebody to sign in. Rejects when the provider cannot be asked. */
export async function openIdAddress(settings: OpenIdSettings): Promise<{ url: string; round: OpenIdRound }> {
  const client = await import('openid-client')
  const configuration = await configurationOf(settings)
  const round = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
  }
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: settings.redirectUri,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(round.verifier),
    code_challenge_method: 'S256',
    state: round.state,
    nonce: round.nonce,
  })
  return { url: url.href, round }
}

/**
 * Who came back from the provider, by the query of the address that they came back to. Rejects where the answer
 * does not hold: another's, an old one, one that was tampered with.
 */
export async function openIdPerson(
  settings: OpenIdSettings,
  query: string,
  round: OpenIdRound,
): Promise<OpenIdPerson> {
  const client = await import('openid-client')
  const configuration = await configurationOf(settings)
  const tokens = await client.authorizationCodeGrant(configuration, new URL(settings.redirectUri + query), {
    pkceCodeVerifier: round.verifier,
    expectedState: round.state,
    expectedNonce: round.nonce,
    idTokenExpected: true,
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
  return await client.discovery(
    url,
    clientId,
    undefined,
    clientSecret === '' ? client.None() : client.ClientSecretPost(clientSecret),
    // The operator's own provider may be in the same network, without TLS; so the signatures of ID tokens count.
    { execute: [client.enableNonRepudiationChecks, ...(http ? [client.allowInsecureRequests] : [])] },
  )
}
