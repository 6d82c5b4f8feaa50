import { Refusal } from '../../../core/errors.js'
import { addedSecondStepNotice, removedSecondStepNotice } from '../../../core/people/security-notices.js'
import { newTotpSecret, totpAddress, totpStep } from '../../../lib/secrets/totp.js'
import { sealTotpSecret } from '../../../lib/secrets/totp-secret.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { TotpPage } from '../../../views/pages/people/totp.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { notify } from '../notify.js'
import { pageContext } from '../page-context.js'
import { noStore } from '../page-headers.js'
import { tryForm } from '../try-form.js'
import { requireProof } from './proof.js'
import { afterSecondStep } from './recovery-codes.js'
import { passkeyObstacle } from './sign-in/relying-party.js'

/** GET: a new secret for an authenticator app, as a QR code and as text. */
export async function showTotp(c: WebContext): Promise<Response> {
  requireProof(c)
  return await c.html(await totpPage(c, await newTotpSecret(), null))
}

/** POST: stores the secret, if a code proves that the app has it. */
export async function submitTotp(c: WebContext): Promise<Response> {
  const session = requireProof(c)
  const { user, sessionId } = session
  const { store, clock, config } = c.var.deps
  const form = await formOf(c)
  const secret = form.text('secret')
  if (!/^[A-Z2-7]{32}$/.test(secret)) throw new Refusal('invalid', 'the secret is damaged: start again')
  return await tryForm(
    c,
    async () => {
      const step = await totpStep(secret, form.text('code'), clock.now())
      if (step === null) {
        throw new Refusal('invalid', 'wrong code. Check that the clock of your phone is right', 'code')
      }
      const sealed = sealTotpSecret(config.SECRET_KEY, user.id, secret)
      await store.people.setTotp({ userId: user.id, sessionId, secret: sealed })
      await store.people.takeTotpStep(user.id, step)
      notify(c, user, site => addedSecondStepNotice(site, 'an authenticator app'))
      return await afterSecondStep(c, session, 'Signing in now requires a code from your app.')
    },
    problem => totpPage(c, secret, problem),
  )
}

/** POST: removes the authenticator app. */
export async function removeTotp(c: WebContext): Promise<Response> {
  const { user } = requireProof(c)
  await c.var.deps.store.people.removeTotp(user.id)
  notify(c, user, site => removedSecondStepNotice(site, 'a code of an authenticator app'))
  setFlash(c, 'good', 'Codes turned off.')
  return seeOther(c, '/accounts/profile/')
}

async function totpPage(c: WebContext, secret: string, problem: Problem | null) {
  const { user } = requireProof(c)
  noStore(c)
  const { encode } = await import('uqr')
  const address = await totpAddress(secret, { issuer: c.var.deps.config.SITE_NAME, email: user.email })
  const { data, size } = encode(address)
  const qr = { size, dark: (x: number, y: number) => data[y]?.[x] === true }
  return TotpPage({
    page: await pageContext(c),
    secret,
    qr,
    passkeysPossible: passkeyObstacle(c.var.deps.config) === null,
    problem,
  })
}
