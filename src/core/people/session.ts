/** How long a person stays signed in. */

/** A session ends after this long (ms) without a request. */
export const SESSION_MS = 30 * 86_400_000

/** A session ends this long (ms) after its holder last proved their identity, even if it is in use. */
export const SESSION_PROOF_MS = 90 * 86_400_000

/** The use of a session is recorded at most this often (ms), so that most pages need no write. */
export const SEEN_EVERY_MS = 60_000
