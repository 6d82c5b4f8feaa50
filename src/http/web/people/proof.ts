/** Sensitive changes want a proof that is not older than half an hour that the person at the keyboard is the one. */
import type { SignedIn } from '../../../storage/people/sessions.js'
import type { WebContext } from '../context.js'
import { requireUser } from './session.js'

/** As long as the reference's sudo mode. Source: docs/behaviour.md, section 9.6. */
const PROOF_LASTS_MS = 30 * 60_000

/** The last proof is too old; answered by asking for a new one. */
export class ProofNeeded extends Error {
  override readonly name = 'ProofNeeded'
}

/** Who is signed in, with a recent proof. Throws `ProofNeeded`. Behind a proxy that signs people in it vouches. */
export function requireProof(c: WebContext): SignedIn {
  const session = requireUser(c)
  const age = c.var.deps.clock.now() - session.provedAt
  if (session.method !== 'proxy' && age > PROOF_LASTS_MS) throw new ProofNeeded()
  return session
}
