/** Codes of an authenticator app. Source: RFC 6238; six digits, half a minute each, one step of leeway. */

const STEP_MS = 30_000

/** A new secret, base32: 160 bits, as RFC 4226 recommends. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: 20 }).base32
}

/** The address that an authenticator app takes, mostly as a QR code. */
export async function totpAddress(
  secret: string,
  account: { issuer: string; email: string },
): Promise<string> {
  const { TOTP } = await import('otpauth')
  return new TOTP({ secret, issuer: account.issuer, label: account.email }).toString()
}

/** The half minute that a code belongs to, counted from 1970; null for a wrong code. */
export async function totpStep(secret: string, code: string, now: number): Promise<number | null> {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const { TOTP } = await import('otpauth')
  const delta = new TOTP({ secret }).validate({ token, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}
