/** Passkeys as a second factor. The library is loaded on first use. Source: W3C, Web Authentication 2. */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

export interface RelyingParty {
  /** The domain that passkeys are bound to. */
  id: string
  name: string
  /** The origin of the pages that request passkeys. */
  origin: string
}

export interface StoredPasskey {
  /** Base64url. */
  credentialId: string
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
}

/** A challenge (base64url): whether it was given here, and whether it was unused until a valid answer used it up. */
export interface ChallengeCheck {
  isGiven(challenge: string): boolean
  useUp(): Promise<boolean>
}

const TIMEOUT_MS = 300_000

/** The options with which a browser creates a passkey. `challenge` is base64url. */
export async function creationOptions(
  party: RelyingParty,
  user: { uuid: string; email: string },
  existing: readonly StoredPasskey[],
  challenge: string,
): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(user.uuid),
    userName: user.email,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(descriptor),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
}

/** The passkey that a browser created, or null if its response is not valid. */
export async function verifyNewPasskey(
  party: RelyingParty,
  answer: unknown,
  challenge: ChallengeCheck,
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({
    response: answer as RegistrationResponseJSON,
    expectedChallenge: challenge.isGiven,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => null)
  if (!verified?.verified || !(await challenge.useUp())) return null
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  return { credentialId: id, publicKey, counter, transports }
}

/** The options with which a browser uses one of these passkeys. */
export async function requestOptions(
  party: RelyingParty,
  passkeys: readonly StoredPasskey[],
  challenge: string,
): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    allowCredentials: passkeys.map(descriptor),
    userVerification: 'preferred',
  })
}

/** The passkey that was used and its new counter, or null if the response is not valid. */
export async function verifyPasskeyUse(
  party: RelyingParty,
  passkeys: readonly StoredPasskey[],
  answer: unknown,
  challenge: ChallengeCheck,
): Promise<{ credentialId: string; counter: number } | null> {
  const response = answer as AuthenticationResponseJSON
  const passkey = passkeys.find(({ credentialId }) => credentialId === response?.id)
  if (!passkey) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.isGiven,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => null)
  if (!verified?.verified || !(await challenge.useUp())) return null
  return { credentialId: passkey.credentialId, counter: verified.authenticationInfo.newCounter }
}

function descriptor({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, transports: transports as AuthenticatorTransport[] }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'))
}
