import { checkChallenge, giveChallenge } from '../../../../actions/people/sign-in/challenge-passkey.js'
import { Refusal } from '../../../../core/errors.js'
import { parseJsonOrNull } from '../../../../lib/formats/parse-json-or-null.js'
import { requestOptions, verifyPasskeyUse } from '../../../../lib/secrets/passkeys.js'
import { secretKeysOf } from '../../../../lib/secrets/secret-key.js'
import type { WebContext } from '../../context.js'
import { formOf } from '../../form.js'
import { tryForm } from '../../try-form.js'
import { beginAgain, secondStepPage } from '../second-step.js'
import { enter } from './finish-sign-in.js'
import { relyingParty } from './relying-party.js'
import { clearSecondStep, waiting } from './second-step.js'

/** POST, by script: the options with which the browser uses a passkey of the user who is signing in, as JSON. */
export async function askForPasskey(c: WebContext): Promise<Response> {
  const found = await waiting(c)
  if (!found) throw new Refusal('forbidden', 'this sign-in took too long: start again')
  const { store, clock, config } = c.var.deps
  const challenge = giveChallenge(config.SECRET_KEY, clock, found.user.id)
  const passkeys = await store.people.findPasskeys(found.user.id)
  return c.json(await requestOptions(relyingParty(config), passkeys, challenge))
}

/** POST: the response of a passkey as the second step. */
export async function submitPasskeyStep(c: WebContext): Promise<Response> {
  const found = await waiting(c)
  if (!found) return beginAgain(c)
  const { user, half } = found
  const { store, clock, config } = c.var.deps
  const answer = parseJsonOrNull((await formOf(c)).text('answer'))
  return await tryForm(
    c,
    async () => {
      const passkeys = await store.people.findPasskeys(user.id)
      const check = checkChallenge({ store, clock, secretKeys: secretKeysOf(config) }, user.id)
      const used = await verifyPasskeyUse(relyingParty(config), passkeys, answer, check)
      if (!used || !(await store.people.notePasskeyUse({ ...used, userId: user.id, now: clock.now() })))
        throw new Refusal('unauthorized', 'the passkey’s response is not valid: try again')
      clearSecondStep(c)
      return await enter(c, half.user, half.method, half.next)
    },
    problem => secondStepPage(c, user, problem),
  )
}
