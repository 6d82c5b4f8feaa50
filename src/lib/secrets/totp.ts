/** Codes of authenticator apps: six digits, 30-second steps, one step of tolerance. Source: RFC 6238. */

const STEP_MS = 30_000

/** A new secret, base32: 160 bits, as RFC 4226 recommends. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: 20 }).base32
}

/** The address with which an authenticator app is set up, usually shown as a QR code. */
export async function totpAddress(
  secret: string,
  account: { issuer: string; email: string },
): Promise<string> {
  const { TOTP } = await import('otpauth')
  return new TOTP({ secret, issuer: account.issuer, label: account.email }).toString()
}

/** The number of the 30-second step of a code, counted from 1970, or null if the code is wrong. */
export async function totpStep(secret: string, code: string, now: number): Promise<number | null> {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const { TOTP } = await import('otpauth')
  const delta = new TOTP({ secret }).validate({ token, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}
