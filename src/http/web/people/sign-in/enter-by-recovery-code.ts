import { useRecoveryCode } from '../../../../actions/people/sign-in/use-recovery-code.js'
import { recoveryCodeNotice } from '../../../../core/people/security-notices.js'
import { are } from '../../../../core/text/plural.js'
import type { WebContext } from '../../context.js'
import { setFlash } from '../../flash.js'
import { notify } from '../../notify.js'
import { enter } from './finish-sign-in.js'
import type { Waiting } from './second-step.js'
import { clearSecondStep } from './second-step.js'

/** Signs in a user who has taken the first step and entered a recovery code. Throws as `useRecoveryCode` does. */
export async function enterByRecoveryCode(
  c: WebContext,
  { user, half }: Waiting,
  code: string,
): Promise<Response> {
  const { store, clock } = c.var.deps
  await useRecoveryCode(store, clock, { userId: user.id, code })
  clearSecondStep(c)
  const left = user.recoveryCodes - 1
  notify(c, user, site => recoveryCodeNotice(site, left))
  const rest = left === 0 ? 'It was the last' : `${left} ${are(left)} left`
  setFlash(c, 'good', `The recovery code was used. ${rest}.`)
  return await enter(c, half.user, half.method, half.next)
}
