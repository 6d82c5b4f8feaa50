import {
  acceptInvitation as accept,
  askForProof,
  PROOF_LINK_SECONDS,
} from '../../../actions/projects/accept-invitation.js'
import { Refusal } from '../../../core/errors.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { Invited } from '../../../storage/projects/invitations.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { LinkSentPage } from '../../../views/pages/people/sign-in/link-sent.js'
import { InvitationPage } from '../../../views/pages/projects/invitation.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { noteAsking } from '../people/sign-in/asked-link.js'
import { enter } from '../people/sign-in/finish-sign-in.js'
import { mailDeps } from '../site.js'
import { tryForm } from '../try-form.js'
import { visitorOf } from '../visitor.js'

/** GET: shows the invitation and how to accept it: at once, after signing in, or with a new account. */
export async function showInvitation(c: WebContext): Promise<Response> {
  const opened = await openedInvitation(c)
  return await c.html(await invitationPage(c, opened, opened.email ?? '', null))
}

/**
 * POST: accepts the invitation. A visitor who is not signed in creates an account. If the installation sends e-mail,
 * that requires a link e-mailed to the address of the account; without one, such a link is sent.
 */
export async function acceptInvitation(c: WebContext): Promise<Response> {
  const opened = await openedInvitation(c)
  const { session, deps } = c.var
  if (session) return await join(c, opened, session.user.id)
  const form = await formOf(c)
  const email = opened.email ?? form.text('email')
  return await tryForm(
    c,
    async () => {
      const { address } = visitorOf(c)
      if (opened.asksForLink) {
        const browser = noteAsking(c, email, PROOF_LINK_SECONDS)
        await askForProof(mailDeps(c), opened, { email, address, browser })
        return await c.html(LinkSentPage({ page: await pageContext(c), email, purpose: 'sign-up' }))
      }
      const user = await accept(deps, opened, {
        email,
        password: form.text('password'),
        timezone: form.text('timezone'),
        address,
      })
      return await enter(c, user, 'password', checksPath(opened.invited))
    },
    problem => invitationPage(c, opened, email, problem),
  )
}

/** An invitation, with the link that was opened. */
interface OpenedInvitation {
  invited: Invited
  token: string
  /** The token of an e-mailed link, which proves the address; null for other links. */
  proof: string | null
  /** The address for which an account can be created; null: any. */
  email: string | null
  /** Whether an account requires an e-mailed link and this is not one. */
  asksForLink: boolean
}

async function openedInvitation(c: WebContext): Promise<OpenedInvitation> {
  const { store, clock, mailer } = c.var.deps
  const token = c.req.param('token') ?? ''
  const given = c.req.param('proof') ?? ''
  const invited = await store.projects.findInvitation(digestOf(token), clock.now())
  if (!invited) throw used()
  // A newer link replaces an older one, which then no longer proves the address.
  const digests = { invitation: digestOf(token), proof: digestOf(given) }
  const proven = await store.projects.findProof({ ...digests, now: clock.now() })
  const proof = proven === null ? null : given
  const email = proven ?? (mailer ? null : invited.email)
  return { invited, token, proof, email, asksForLink: mailer !== null && proven === null }
}

async function join(c: WebContext, { invited, token }: OpenedInvitation, userId: number): Promise<Response> {
  const { store, clock } = c.var.deps
  if ((await store.projects.acceptInvitation(digestOf(token), userId, clock.now())) === null) throw used()
  setFlash(c, 'good', `You are now a member of ${invited.project.name || 'the project'}.`)
  return seeOther(c, checksPath(invited))
}

function used(): Refusal {
  return new Refusal('gone', 'the invitation was used, withdrawn or has expired: ask for a new one')
}

function checksPath({ project }: Invited): string {
  return `/projects/${project.uuid}/checks/`
}

async function invitationPage(
  c: WebContext,
  { invited, token, email: fixed, asksForLink }: OpenedInvitation,
  email: string,
  problem: Problem | null,
) {
  return InvitationPage({
    page: await pageContext(c),
    action: c.req.path,
    signInNext: `/accounts/invitations/${token}/`,
    project: invited.project.name,
    role: invited.role,
    sentTo: invited.email,
    email,
    fixed: fixed !== null,
    asksForLink,
    problem,
  })
}
