import { Refusal } from '../../core/errors.js'
import type { ChannelSettings } from '../../integrations/field.js'
import { expectOk } from '../../integrations/http/expect-ok.js'
import { integrationOf } from '../../integrations/index.js'
import type { Integration } from '../../integrations/integration.js'
import type { Operator } from '../../integrations/setup.js'
import type { Transports } from '../../integrations/transports.js'
import { seal, unseal } from '../../lib/secrets/sealed.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { AcknowledgeDeps } from '../incidents/acknowledge-by-link.js'
import { answerPress } from '../incidents/answer-press.js'

/** What the answers of bots need. */
export interface BotDeps extends AcknowledgeDeps {
  secretKey: string
  siteRoot: string
  operator: Operator
  transports: Transports
}

/** A chat in which a user asked the bot for alerts. */
export interface Invited {
  kind: string
  settings: ChannelSettings
}

const PURPOSE = 'invite'
const LASTS_MS = 600_000

/**
 * Answers what a user did with the bot of a kind: a message that asks for alerts, with a link that works for ten
 * minutes, and a press of a button under an alert. Throws `DeliveryError` if the answer cannot be sent.
 */
export async function answerBot(deps: BotDeps, integration: Integration, update: unknown): Promise<void> {
  const { setup, kind } = integration
  if (setup?.way !== 'invite') return
  const press = setup.parsePress(update, deps.operator)
  if (press) return await answerPress(deps, kind, press)
  const heard = setup.parseStart(update, deps.operator)
  if (!heard) return
  const invited: Invited = { kind, settings: heard.settings }
  const token = seal(deps.secretKey, PURPOSE, invited, deps.clock.now() + LASTS_MS)
  expectOk(await deps.transports.http(heard.answer(`${deps.siteRoot}/integrations/invite/${token}/`)))
}

/** The chat that a link belongs to. Throws a `Refusal` if the link is invalid or has expired. */
export function invitedChat(
  secretKeys: SecretKeys,
  now: number,
  token: string,
): { integration: Integration; settings: ChannelSettings } {
  const invited = unseal(secretKeys, PURPOSE, token, now) as Invited | null
  const integration = invited && integrationOf(invited.kind)
  if (!invited || !integration) {
    throw new Refusal('invalid', 'this link has expired or is incomplete: ask the bot for a new one')
  }
  return { integration, settings: invited.settings }
}
