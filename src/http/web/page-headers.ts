/** The headers of pages. Source: OWASP's list of secure headers. */
import type { Context, MiddlewareHandler } from 'hono'
import { baseHeaders } from '../responses.js'

/** Scripts, styles and pictures come from our own files alone; nothing is inline and nothing may frame us. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

const FEATURES = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone'],
  ...['midi', 'payment', 'usb'],
].map(feature => `${feature}=()`)

const OWN_FEATURES = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'].map(
  feature => `${feature}=(self)`,
)

const HEADERS: Readonly<Record<string, string>> = {
  ...baseHeaders,
  'Content-Security-Policy': Object.entries(POLICY)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; '),
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': [...FEATURES, ...OWN_FEATURES].join(', '),
  'X-DNS-Prefetch-Control': 'off',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // Kept by the reader's own browser for going back, never shown again without asking.
  'Cache-Control': 'private, no-cache',
}

/** Puts the headers of pages on every answer that has not set them itself. */
export const pageHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}

/** Keeps the page being made out of every cache, the browser's own included: it shows a secret. */
export function noStore(c: Context): void {
  c.header('Cache-Control', 'no-store')
}
