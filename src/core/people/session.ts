/** How long somebody stays signed in. */

/** A session is over after so long without a request. */
export const SESSION_MS = 30 * 86_400_000

/** A session is over so long after its holder last proved who they are, however much it is used. */
export const SESSION_PROOF_MS = 90 * 86_400_000

/** A session is noted as used at most so often, so that pages are seldom writes. */
export const SEEN_EVERY_MS = 60_000
