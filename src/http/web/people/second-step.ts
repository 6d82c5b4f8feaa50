import { isRecoveryCode } from '../../../actions/people/make-recovery-codes.js'
import { checkCode } from '../../../actions/people/sign-in/check-code.js'
import { Refusal } from '../../../core/errors.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import type { SignInFacts } from '../../../storage/people/users.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { SecondStepPage } from '../../../views/pages/people/sign-in/second-step.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { enterByRecoveryCode } from './sign-in/enter-by-recovery-code.js'
import { enter } from './sign-in/finish-sign-in.js'
import { clearSecondStep, waiting } from './sign-in/second-step.js'

/** GET: asks for the second step. */
export async function showSecondStep(c: WebContext): Promise<Response> {
  const found = await waiting(c)
  if (!found) return beginAgain(c)
  return await c.html(await secondStepPage(c, found.user, null))
}

/** POST: a code of the authenticator app, or a recovery code in the same field. */
export async function submitSecondStep(c: WebContext): Promise<Response> {
  const found = await waiting(c)
  if (!found) return beginAgain(c)
  const { user, half } = found
  const { store, clock, config } = c.var.deps
  return await tryForm(
    c,
    async () => {
      const code = (await formOf(c)).text('code')
      if (user.recoveryCodes > 0 && isRecoveryCode(code)) return await enterByRecoveryCode(c, found, code)
      if (user.totpSecret === null) throw new Refusal('invalid', 'you have no authenticator app set up')
      const deps = { store, clock, secretKeys: secretKeysOf(config) }
      await checkCode(deps, { userId: user.id, stored: user.totpSecret, code })
      clearSecondStep(c)
      return await enter(c, half.user, half.method, half.next)
    },
    problem => secondStepPage(c, user, problem),
  )
}

/** Redirects a user who took too long between the two steps to the first one. */
export function beginAgain(c: WebContext): Response {
  setFlash(c, 'bad', 'Sign-in took longer than five minutes. Start again.')
  return seeOther(c, '/accounts/login/')
}

/** The page, also for passkeys and recovery codes. */
export async function secondStepPage(c: WebContext, user: SignInFacts, problem: Problem | null) {
  return SecondStepPage({
    page: await pageContext(c),
    hasApp: user.totpSecret !== null,
    hasPasskeys: user.passkeys > 0,
    hasRecoveryCodes: user.recoveryCodes > 0,
    problem,
  })
}
