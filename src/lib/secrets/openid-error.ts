import { FetchError } from '../http/fetch-error.js'

/** A failed sign-in through a provider. The message says why to the operator, without secrets. */
export class OpenIdError extends Error {
  override readonly name = 'OpenIdError'
  constructor(
    reason: string,
    /** Whether the provider did not answer as it has to, so that nobody was refused. */
    readonly isUnreachable = false,
  ) {
    super(reason)
  }
}

const MOST_CAUSES = 5
const MOST_CHARACTERS = 400

/** What the library says of every error that it does not know. */
const SAYS_NOTHING = 'something went wrong'

/**
 * An error of the library or of a request: its message with those of its causes, and what the provider says of it. `secrets` are
 * removed, because providers repeat what they were sent.
 */
export function openIdErrorOf(error: unknown, secrets: readonly string[]): OpenIdError {
  const said: string[] = []
  let isUnreachable = false
  let cause = error
  for (let count = 0; count < MOST_CAUSES && cause !== undefined; count++) {
    if (cause instanceof FetchError) isUnreachable = true
    said.push(...wordsOf(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  const words = [...new Set(said)].filter(text => text !== '' && text !== SAYS_NOTHING).join(': ')
  const clean = secrets
    .filter(secret => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '…'), words)
  return new OpenIdError(clean.slice(0, MOST_CHARACTERS), isUnreachable)
}

function wordsOf(cause: unknown): string[] {
  if (cause instanceof Response) return [`status ${cause.status}`]
  if (!(cause instanceof Error)) return []
  const { error, error_description: description } = cause as { error?: unknown; error_description?: unknown }
  return [cause.message, error, description].filter(text => typeof text === 'string')
}
