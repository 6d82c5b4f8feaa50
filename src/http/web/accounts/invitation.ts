import { createGuest } from '../../../actions/create-account.js'
import { hashNewPassword } from '../../../actions/hash-new-password.js'
import { limitAttempts } from '../../../actions/limit-attempts.js'
import { Refusal } from '../../../core/errors.js'
import { digestOf } from '../../../lib/secrets.js'
import type { Invited } from '../../../storage/invitations.js'
import type { Problem } from '../../../views/components/form-problem.js'
import { InvitationPage } from '../../../views/pages/invitation.js'
import { seeOther, type WebContext } from '../context.js'
import { enter } from '../finish-sign-in.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { visitorOf } from '../visitor.js'

/** GET: what the invitation is to, and how to take it: at once, after signing in, or with a new account. */
export async function showInvitation(c: WebContext): Promise<Response> {
  const invited = await invitedTo(c)
  return await c.html(await invitationPage(c, invited, invited.email ?? '', null))
}

/** POST: takes the invitation; who is not signed in chooses a password and has an account from now on. */
export async function acceptInvitation(c: WebContext): Promise<Response> {
  const invited = await invitedTo(c)
  const { session } = c.var
  if (session) {
    await join(c, session.user.id)
    setFlash(c, 'good', `You belong to ${invited.project.name || 'the project'} now.`)
    return seeOther(c, checksPath(invited))
  }
  const form = await formOf(c)
  const email = form.text('email')
  return await tryForm(
    c,
    async () => {
      const { store, clock } = c.var.deps
      await limitAttempts(store, clock, { address: visitorOf(c).address })
      const passwordHash = await hashNewPassword(form.text('password'), email)
      const request = { email, passwordHash, timezone: form.text('timezone') }
      const { user } = await createGuest({ store, clock, hasMailer: false }, request)
      await join(c, user.id)
      return await enter(c, user.id, 'password', checksPath(invited))
    },
    problem => invitationPage(c, invited, email, problem),
  )
}

async function invitedTo(c: WebContext): Promise<Invited> {
  const { store, clock } = c.var.deps
  const invited = await store.findInvitation(digestOf(c.req.param('token') ?? ''), clock.now())
  if (!invited) throw used()
  return invited
}

async function join(c: WebContext, userId: number): Promise<void> {
  const { store, clock } = c.var.deps
  const joined = await store.acceptInvitation(digestOf(c.req.param('token')!), userId, clock.now())
  if (joined === null) throw used()
}

function used(): Refusal {
  return new Refusal(
    'gone',
    'the invitation was used or withdrawn, or has run out: ask whoever invited you for a new one',
  )
}

function checksPath({ project }: Invited): string {
  return `/projects/${project.uuid}/checks/`
}

async function invitationPage(c: WebContext, invited: Invited, email: string, problem: Problem | null) {
  const { path } = c.req
  return InvitationPage({
    page: await pageContext(c),
    action: path,
    project: invited.project.name,
    role: invited.role,
    email,
    problem,
  })
}
