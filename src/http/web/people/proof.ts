/** Sensitive changes require a proof of identity that is at most half an hour old. */
import type { SignedIn } from '../../../storage/people/sessions.js'
import type { WebContext } from '../context.js'
import { requireUser } from './session.js'

/** The same as the reference's sudo mode. Source: docs/behaviour.md, section 9.6. */
const PROOF_LASTS_MS = 30 * 60_000

/** The last proof is too old. The response is a page that asks for a new one. */
export class ProofNeeded extends Error {
  override readonly name = 'ProofNeeded'
}

/** The user, with a recent proof. Throws `ProofNeeded`. A proxy that signs users in counts as a proof. */
export function requireProof(c: WebContext): SignedIn {
  const session = requireUser(c)
  const age = c.var.deps.clock.now() - session.provedAt
  if (session.method !== 'proxy' && age > PROOF_LASTS_MS) throw new ProofNeeded()
  return session
}
