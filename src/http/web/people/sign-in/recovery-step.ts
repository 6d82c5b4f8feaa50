import type { WebContext } from '../../context.js'
import { formOf } from '../../form.js'
import { tryForm } from '../../try-form.js'
import { beginAgain, secondStepPage } from '../second-step.js'
import { enterByRecoveryCode } from './enter-by-recovery-code.js'
import { waiting } from './second-step.js'

/** POST: a recovery code as the second step. */
export async function submitRecoveryStep(c: WebContext): Promise<Response> {
  const found = await waiting(c)
  if (!found) return beginAgain(c)
  return await tryForm(
    c,
    async () => await enterByRecoveryCode(c, found, (await formOf(c)).text('recovery')),
    problem => secondStepPage(c, found.user, problem),
  )
}
