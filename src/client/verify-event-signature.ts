/** How old a request may be, in seconds, so that nobody who has recorded one can send it again later. */
const TOLERANCE = 300

export interface VerifyOptions {
  /** How far the time of the signature may be from now, in seconds; 300 by default. */
  toleranceSeconds?: number
  /** Now, in ms; by default the time of this machine. */
  now?: number
}

/**
 * Whether a request to an event webhook was sent by the installation that has `secret`, and not too long ago. `header`
 * is its `Punctual-Signature`; `body` is the text or the bytes as they were received, before they are parsed. See
 * docs/event-webhooks.md.
 */
export async function verifyEventSignature(
  secret: string,
  header: string | null | undefined,
  body: string | Uint8Array,
  { toleranceSeconds = TOLERANCE, now = Date.now() }: VerifyOptions = {},
): Promise<boolean> {
  const [, time, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (time === undefined || signature === undefined) return false
  if (Math.abs(now / 1000 - Number(time)) > toleranceSeconds) return false
  const text = new TextEncoder()
  const signed = concatenated(text.encode(`${time}.`), typeof body === 'string' ? text.encode(body) : body)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), hmac, false, ['verify'])
  const claimed = Uint8Array.from(signature.match(/../g)!, pair => Number.parseInt(pair, 16))
  return await crypto.subtle.verify('HMAC', key, claimed, signed)
}

function concatenated(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
