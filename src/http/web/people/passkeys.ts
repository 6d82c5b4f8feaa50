import { checkChallenge, giveChallenge } from '../../../actions/people/sign-in/challenge-passkey.js'
import { Refusal } from '../../../core/errors.js'
import { addedSecondStepNotice, removedSecondStepNotice } from '../../../core/people/security-notices.js'
import { quotedName } from '../../../core/text/quoted-name.js'
import { parseJsonOrNull } from '../../../lib/formats/parse-json-or-null.js'
import { creationOptions, verifyNewPasskey } from '../../../lib/secrets/passkeys.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { AddPasskeyPage } from '../../../views/pages/people/add-passkey.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { notify } from '../notify.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { requireProof } from './proof.js'
import { afterSecondStep } from './recovery-codes.js'
import { passkeyObstacle, relyingParty } from './sign-in/relying-party.js'

const NAME_MAX_LENGTH = 60

/** GET: the page for adding a passkey. */
export async function showAddPasskey(c: WebContext): Promise<Response> {
  requirePasskeys(c)
  requireProof(c)
  return await c.html(await addPasskeyPage(c, '', null))
}

/** POST, by script: the options with which the browser creates a passkey, as JSON. */
export async function offerPasskey(c: WebContext): Promise<Response> {
  requirePasskeys(c)
  const { user } = requireProof(c)
  const { store, clock, config } = c.var.deps
  const challenge = giveChallenge(config.SECRET_KEY, clock, user.id)
  const existing = await store.people.findPasskeys(user.id)
  return c.json(await creationOptions(relyingParty(config), user, existing, challenge))
}

/** POST: adds the passkey that the browser has created. */
export async function submitPasskey(c: WebContext): Promise<Response> {
  requirePasskeys(c)
  const session = requireProof(c)
  const { user, sessionId } = session
  const { store, clock, config } = c.var.deps
  const form = await formOf(c)
  const name = form.text('name').trim().slice(0, NAME_MAX_LENGTH) || 'Passkey'
  return await tryForm(
    c,
    async () => {
      const check = checkChallenge({ store, clock, secretKeys: secretKeysOf(config) }, user.id)
      const passkey = await verifyNewPasskey(
        relyingParty(config),
        parseJsonOrNull(form.text('answer')),
        check,
      )
      if (!passkey) throw new Refusal('invalid', 'the browser’s response is not valid: try again')
      const transports = [...passkey.transports]
      const owner = { userId: user.id, sessionId }
      await store.people.addPasskey({ ...passkey, transports, ...owner, name, now: clock.now() })
      notify(c, user, site =>
        addedSecondStepNotice(site, `the passkey ${quotedName(name, 'without a name')}`),
      )
      return await afterSecondStep(c, session, `Signing in now requires ${name} or another second step.`)
    },
    problem => addPasskeyPage(c, name, problem),
  )
}

/** POST: removes a passkey. */
export async function removePasskey(c: WebContext): Promise<Response> {
  const { user } = requireProof(c)
  const removed = await c.var.deps.store.people.removePasskey(user.id, c.req.param('passkey')!)
  if (!removed) throw new Refusal('not-found', 'there is no such passkey')
  notify(c, user, site => removedSecondStepNotice(site, 'one of its passkeys'))
  setFlash(c, 'good', 'Passkey removed.')
  return seeOther(c, '/accounts/profile/')
}

function requirePasskeys(c: WebContext): void {
  const obstacle = passkeyObstacle(c.var.deps.config)
  if (obstacle !== null) throw new Refusal('not-found', obstacle)
}

async function addPasskeyPage(c: WebContext, name: string, problem: Problem | null) {
  return AddPasskeyPage({ page: await pageContext(c), name, problem })
}
