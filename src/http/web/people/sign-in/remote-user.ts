/**
 * Users signed in by a proxy, which names them in a header of every request. Source: docs/behaviour.md, section 9.6.
 */

import { createAccount, createFirstAccount } from '../../../../actions/people/create-account.js'
import { handOverAccount } from '../../../../actions/people/hand-over-account.js'
import { offerFirstAccount } from '../../../../actions/people/offer-first-account.js'
import { beginSession } from '../../../../actions/people/sign-in/begin-session.js'
import { Refusal } from '../../../../core/errors.js'
import { emailAddress } from '../../../../core/people/email-address.js'
import { isTrusted } from '../../../../lib/http/client-address.js'
import { digestOf } from '../../../../lib/secrets/secrets.js'
import type { SignedIn } from '../../../../storage/people/sessions.js'
import type { User } from '../../../../storage/people/users.js'
import type { WebContext } from '../../context.js'
import { noticeDeps } from '../../site.js'
import { visitorOf } from '../../visitor.js'
import { noteSecurity } from '../note-security.js'

/** A session, with its token if it is new. */
interface Vouched {
  session: SignedIn
  token: string | null
}

/**
 * The session of the user named by the proxy: `session` if it is theirs, otherwise a new one, which ends a session of
 * another user. Creates an account if the user has none. Null if no trusted proxy names a user.
 */
export async function sessionOfRemoteUser(c: WebContext, session: SignedIn | null): Promise<Vouched | null> {
  const email = remoteUser(c)
  if (session && session.user.email !== email) {
    await c.var.deps.store.people.closeSession(session.user.id, session.sessionId)
  }
  if (email === null) return null
  if (session?.user.email === email && session.method === 'proxy') return { session, token: null }
  const { store, clock } = c.var.deps
  const { user, handedOver } = await userOf(c, email)
  const token = await beginSession(store, clock, {
    user,
    method: 'proxy',
    visitor: visitorOf(c),
  })
  if (handedOver) noteSecurity(c, 'account-handed-over', { account: email })
  noteSecurity(c, 'signed-in', { account: email, method: 'proxy' })
  const begun = await store.people.findSession(digestOf(token), clock.now())
  return begun && { session: begun, token }
}

/** The address in the header, which counts only if it comes from a trusted proxy. */
function remoteUser(c: WebContext): string | null {
  const { config } = c.var.deps
  const peer = c.env.incoming.socket.remoteAddress ?? ''
  const named = c.req.header(config.REMOTE_USER_HEADER)?.trim()
  return named && isTrusted(peer, config.TRUSTED_PROXIES) ? emailAddress(named) : null
}

/** The account for the address that the proxy vouches for. */
async function userOf(c: WebContext, email: string): Promise<{ user: User; handedOver: boolean }> {
  const { store, clock, mailer } = c.var.deps
  const enter = async (known: User) => {
    const handedOver = await handOverAccount(noticeDeps(c), known)
    return { user: (await store.people.findUser(email)) ?? known, handedOver }
  }
  const known = await store.people.findUser(email)
  if (known) return await enter(known)
  try {
    const deps = { store, clock, hasMailer: mailer !== null }
    const request = { email, passwordHash: null, emailProven: true }
    const first = await offerFirstAccount(store, clock)
    const account = await (first === null
      ? createAccount(deps, request)
      : createFirstAccount(deps, first.token, request))
    return { user: account.user, handedOver: false }
  } catch (error) {
    // A page sends several requests, and another of them may have created the account first.
    const made = error instanceof Refusal ? await store.people.findUser(email) : null
    if (!made) throw error
    return await enter(made)
  }
}
