import { signIn } from '../../../../actions/people/sign-in/sign-in.js'
import { addressOrNull } from '../../../../core/people/email-address.js'
import type { Problem } from '../../../../views/components/forms/form-problem.js'
import { SignInPage } from '../../../../views/pages/people/sign-in/sign-in.js'
import { seeOther, type WebContext } from '../../context.js'
import { formOf } from '../../form.js'
import { homeOf, safeNext } from '../../next.js'
import { pageContext } from '../../page-context.js'
import { tryForm } from '../../try-form.js'
import { visitorOf } from '../../visitor.js'
import { knownDevice } from '../device.js'
import { finishSignIn } from './finish-sign-in.js'

/** GET: the form. A user who is already signed in is redirected. */
export async function showSignIn(c: WebContext): Promise<Response> {
  const next = safeNext(c.req.query('next'))
  if (c.var.session) return seeOther(c, next ?? (await homeOf(c, c.var.session.user.id)))
  return await c.html(await signInPage(c, { email: '', next, problem: null }))
}

/** POST: an address and a password. */
export async function submitSignIn(c: WebContext): Promise<Response> {
  const { store, clock } = c.var.deps
  const form = await formOf(c)
  const next = safeNext(form.text('next'))
  const email = form.text('email')
  return await tryForm(
    c,
    async () => {
      const { address } = visitorOf(c)
      const known = addressOrNull(email)
      const device = known === null ? null : await knownDevice(c, known)
      const user = await signIn(store, clock, { email, password: form.text('password'), address, device })
      return await finishSignIn(c, user, 'password', next)
    },
    problem => signInPage(c, { email, next, problem }),
  )
}

/** The page with the form, also for the other ways of signing in that begin on it. */
export async function signInPage(
  c: WebContext,
  typed: { email: string; next: string | null; problem: Problem | null },
) {
  const { config, mailer, store } = c.var.deps
  return SignInPage({
    page: await pageContext(c),
    ...typed,
    hasUsers: await store.people.hasUsers(),
    mayRegister: config.REGISTRATION_OPEN,
    sendsLinks: mailer !== null,
    proxied: config.REMOTE_USER_HEADER !== '',
    openIdName: config.OPENID_ISSUER === '' ? null : config.OPENID_NAME,
  })
}
