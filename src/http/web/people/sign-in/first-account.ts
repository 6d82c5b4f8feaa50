import { createFirstAccount } from '../../../../actions/people/create-account.js'
import { hashNewPassword } from '../../../../actions/people/hash-new-password.js'
import { Refusal } from '../../../../core/errors.js'
import { digestOf } from '../../../../lib/secrets/secrets.js'
import type { Problem } from '../../../../views/components/forms/form-problem.js'
import { FirstAccountPage } from '../../../../views/pages/people/sign-in/first-account.js'
import type { WebContext } from '../../context.js'
import { formOf } from '../../form.js'
import { pageContext } from '../../page-context.js'
import { tryForm } from '../../try-form.js'
import { enter } from './finish-sign-in.js'

/** GET: the form behind the link that `serve` printed. */
export async function showFirstAccount(c: WebContext): Promise<Response> {
  await requireToken(c)
  return await c.html(await firstAccountPage(c, '', null))
}

/** POST: creates the first account, signs the user in, and redirects to the check that waits for its first ping. */
export async function submitFirstAccount(c: WebContext): Promise<Response> {
  await requireToken(c)
  const { store, clock, mailer } = c.var.deps
  const form = await formOf(c)
  const email = form.text('email')
  return await tryForm(
    c,
    async () => {
      const passwordHash = await hashNewPassword(form.text('password'), email)
      const account = await createFirstAccount(
        { store, clock, hasMailer: mailer !== null },
        c.req.param('token')!,
        { email, passwordHash, emailProven: true, timezone: form.text('timezone') },
      )
      const next = account.check ? `/checks/${account.check.uuid}/details/` : '/'
      return await enter(c, account.user, 'password', next)
    },
    problem => firstAccountPage(c, email, problem),
  )
}

async function requireToken(c: WebContext): Promise<void> {
  const { store, clock } = c.var.deps
  const digest = digestOf(c.req.param('token') ?? '')
  if (!(await store.people.findToken(digest, 'first-account', clock.now()))) {
    throw new Refusal(
      'gone',
      'it was already used, or the server has been restarted since: the newest link is in the server’s output',
    )
  }
}

async function firstAccountPage(c: WebContext, email: string, problem: Problem | null) {
  return FirstAccountPage({ page: await pageContext(c), action: c.req.path, email, problem })
}
