/** The headers of pages. Source: OWASP's list of secure headers. */
import type { Context, MiddlewareHandler } from 'hono'
import { baseHeaders } from '../responses.js'

/** Scripts, styles and pictures come only from our own files; nothing is inline, and pages cannot be framed. */
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
  // The reader's own browser may cache the page for going back, but must ask before showing it again.
  'Cache-Control': 'private, no-cache',
}

/** Adds the headers of pages to every response that has not set them itself. */
export const pageHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}

/** Keeps the current page out of every cache, including the browser's, because it shows a secret. */
export function noStore(c: Context): void {
  c.header('Cache-Control', 'no-store')
}
