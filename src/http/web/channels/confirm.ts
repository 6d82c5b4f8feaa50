import { randomInt } from 'node:crypto'
import { runAtService } from '../../../actions/channels/prepare-channel.js'
import { limitAttempts, uncountAttempt } from '../../../actions/people/sign-in/limit-attempts.js'
import { Refusal } from '../../../core/errors.js'
import { checkSettings } from '../../../integrations/fields.js'
import type { Integration } from '../../../integrations/integration.js'
import { newUuid } from '../../../lib/secrets/secrets.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { operatorOf } from '../../operator.js'
import { seeOther, type WebContext } from '../context.js'
import { requireUser } from '../people/session.js'
import { draftPath, keepDraft, type StoredDraft } from './draft.js'
import { transportsOf } from './operator.js'

/** Sends a code to the recipient, and redirects to the page that asks for it. Throws a `Refusal`. */
export async function sendCode(
  c: WebContext,
  project: ProjectAccess,
  integration: Integration,
  { name, forAll, values }: { name: string; forAll: boolean; values: Readonly<Record<string, string>> },
): Promise<Response> {
  const { setup, kind } = integration
  if (setup?.way !== 'confirm') throw new Error(`${kind} confirms nothing`)
  const settings = checkSettings(integration, values)
  const { store, clock, config } = c.var.deps
  await limitAttempts(store, clock, {
    confirmation: requireUser(c).user.uuid,
    recipient: `${kind}:${integration.describe(settings).toLowerCase()}`,
  })
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const to = {
    settings,
    operator: operatorOf(c.var.deps),
    siteName: config.SITE_NAME,
    idempotencyKey: newUuid(),
  }
  await runAtService(integration, () => setup.sendCode(code, to, transportsOf(c)))
  keepDraft(c, project, kind, { name, forAll, settings: { ...settings }, code })
  return seeOther(c, draftPath(project, kind))
}

/** Throws a `Refusal` if `typed` is not the code that was sent to the draft's recipient. */
export async function checkCode(c: WebContext, draft: StoredDraft, typed: string): Promise<void> {
  if (draft.code === '') return
  const { store, clock } = c.var.deps
  const guess = { guess: requireUser(c).user.uuid }
  await limitAttempts(store, clock, guess)
  if (typed.replace(/\s/g, '') !== draft.code) throw new Refusal('invalid', 'This is not the code.', 'code')
  // Wrong codes remain counted. Otherwise a user could use a number of their own to get more guesses at another's.
  await uncountAttempt(store, guess)
}
