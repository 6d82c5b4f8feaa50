const TEXTS = {
  timeout: 'Connection timed out',
  resolve: 'Could not resolve host',
  connect: 'Connection failed',
  private: 'Connections to private IP addresses are not allowed',
  redirects: 'Too many redirects',
  secret: 'The redirect leads to another server, which must not see the keys',
  tls: 'TLS handshake failed',
  url: 'The URL is not valid',
  scheme: 'Only http and https addresses are allowed',
  header: 'A header has a character that headers cannot have',
  answer: 'The answer was not valid HTTP',
  size: 'The answer is too long',
} as const

export type FetchFailure = keyof typeof TEXTS

/**
 * A request without a response. The message is shown to users and reveals no address.
 * Source: docs/behaviour.md, section 8.2.
 */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  constructor(
    readonly failure: FetchFailure,
    cause?: unknown,
  ) {
    super(TEXTS[failure], cause === undefined ? {} : { cause })
  }
}

/** An error as people who can mend it read it: with the setting that allows what was refused. */
export function withRemedy(error: string): string {
  if (!error.includes(TEXTS.private)) return error
  return `${error}. To reach machines of its own network, the operator of this installation sets INTEGRATIONS_ALLOW_PRIVATE_IPS=True.`
}
